"""A Lambda execution environment as a process of this machine, in place of LocalStack's container.

Guarantees: one process for each environment, with the unzipped code and the variables that LocalStack gives it; one that
overruns the function's timeout is killed, one that ended is started again by the next invocation, and both are answered with
the errors that Lambda has for them; what the function printed comes back as the invocation's log. Processes stay in
LocalStack's process group and end with it. Memory is limited to the heap's size alone.
"""

import json
import os
import socket
import subprocess
import tempfile
import threading
from concurrent.futures import Future, InvalidStateError
from pathlib import Path

from localstack import config
from localstack.services.lambda_.invocation.executor_endpoint import ExecutorEndpoint, StatusErrorException
from localstack.services.lambda_.invocation.lambda_models import FunctionVersion, InvocationResult
from localstack.services.lambda_.invocation.runtime_executor import RuntimeExecutor

RUNTIME = str(Path(__file__).with_name("function-runtime.ts"))
HOST = "127.0.0.1"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


class ProcessExecutor(RuntimeExecutor):
    def __init__(self, id: str, function_version: FunctionVersion) -> None:
        super().__init__(id, function_version)
        self.endpoint = ExecutorEndpoint(id, container_address=HOST, container_port=free_port())
        self.log = tempfile.NamedTemporaryFile(prefix="function-", suffix=".log")
        self.process: subprocess.Popen | None = None
        self.request_id = ""
        self.timed_out = False

    def start(self, env_vars: dict[str, str]) -> None:
        self.env_vars = {name: str(value) for name, value in env_vars.items()}
        self.endpoint.start()
        self._spawn()
        self.endpoint.wait_for_startup()

    def _spawn(self) -> None:
        settings = self.function_version.config
        code = str(settings.code.get_unzipped_code_location())
        self.timed_out = False
        self.process = subprocess.Popen(
            ["node", f"--max-old-space-size={settings.memory_size}", RUNTIME],
            cwd=code,
            env={
                "PATH": os.environ["PATH"],
                "HOME": tempfile.gettempdir(),
                **self.env_vars,
                "LAMBDA_TASK_ROOT": code,
                "MILLRACE_INVOKE_PORT": str(self.endpoint.container_port),
            },
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=subprocess.STDOUT,
        )
        threading.Thread(target=self._answer_its_end, args=(self.process,), daemon=True).start()

    def _answer_its_end(self, process: subprocess.Popen) -> None:
        """Whatever waits for this process waits no longer once it has ended."""
        status = process.wait()
        seconds = self.function_version.config.timeout
        kind, message = (
            ("Sandbox.Timedout", f"Task timed out after {seconds:.2f} seconds")
            if self.timed_out
            else ("Runtime.ExitError", f"Runtime exited with {status}")
        )
        body = json.dumps({"errorType": kind, "errorMessage": f"RequestId: {self.request_id} Error: {message}"})
        for future, settle in (
            (self.endpoint.startup_future, lambda it: it.set_exception(StatusErrorException(message, body.encode()))),
            (
                self.endpoint.invocation_future,
                lambda it: it.set_result(InvocationResult(self.request_id, body.encode(), is_error=True, logs=None)),
            ),
        ):
            try:
                if future is not None and not future.done():
                    settle(future)
            except InvalidStateError:
                pass  # It was answered in the meantime.

    def _time_out(self) -> None:
        self.timed_out = True
        self.process.kill()

    def invoke(self, payload: dict[str, str]) -> InvocationResult:
        self.request_id = payload["invoke-id"]
        if self.process.poll() is not None:
            self.endpoint.startup_future = Future()
            self._spawn()
            self.endpoint.startup_future.result(timeout=config.LAMBDA_RUNTIME_ENVIRONMENT_TIMEOUT)
        printed_before = Path(self.log.name).stat().st_size
        timer = threading.Timer(self.function_version.config.timeout, self._time_out)
        timer.daemon = True
        timer.start()
        try:
            result = self.endpoint.invoke(payload)
        finally:
            timer.cancel()
        with open(self.log.name, encoding="utf8", errors="replace") as log:
            log.seek(printed_before)
            printed = log.read()
        result.logs = f"START RequestId: {self.request_id}\n{printed}END RequestId: {self.request_id}\n"
        return result

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        self.endpoint.shutdown()
        self.log.close()

    def get_address(self) -> str:
        return HOST

    def get_endpoint_from_executor(self) -> str:
        return HOST

    def get_runtime_endpoint(self) -> str:
        return f"http://{HOST}:{config.GATEWAY_LISTEN[0].port}{self.endpoint.get_endpoint_prefix()}"

    def get_logs(self) -> str:
        return Path(self.log.name).read_text(encoding="utf8", errors="replace")

    @classmethod
    def prepare_version(cls, function_version: FunctionVersion) -> None:
        function_version.config.code.prepare_for_execution()

    @classmethod
    def cleanup_version(cls, function_version: FunctionVersion) -> None:
        pass
