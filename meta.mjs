import {build} from 'esbuild';
const svc=process.argv[2];
const extra=JSON.parse(process.argv[3]??'{}');
const r=await build({entryPoints:[`services/${svc}/lambda.ts`],bundle:true,minify:true,format:'esm',platform:'node',target:'node24',mainFields:['module','main'],metafile:true,write:false,logLevel:'silent',...extra});
const out=Object.values(r.metafile.outputs)[0];
const g=new Map();for(const [f,{bytesInOutput:b}] of Object.entries(out.inputs)){const m=/node_modules\/((?:@[^/]+\/)?[^/]+)(\/(?:v4\/(?:locales|core|classic|mini)|v3|dist-es\/submodules\/[^/]+|dist-cjs\/submodules\/[^/]+|dist-cjs|dist-es))?/.exec(f);const k=m?m[1]+(m[2]??''):f.split('/').slice(0,3).join('/');g.set(k,(g.get(k)??0)+b)}
console.log(svc,out.bytes);console.log([...g].sort((a,b)=>b[1]-a[1]).slice(0,28).map(([k,v])=>v+' '+k).join('\n'));
