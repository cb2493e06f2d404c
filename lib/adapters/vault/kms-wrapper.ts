// Data keys made and wrapped by AWS KMS. The merchant is the encryption context, so a wrapped key put beside another
// merchant does not open, and CloudTrail names the merchant of every use.
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { DATA_KEY_BYTES, type KeyWrapper } from './key-wrapper.ts';

/** The one method of the SDK's client that is used. */
export type KmsSender = Pick<KMSClient, 'send'>;

/** `sender`: instead of a client of its own, which is made when a key is first needed. */
export function createKmsWrapper(keyArn: string, sender?: KmsSender): KeyWrapper {
  let made = sender;
  const kms = (): KmsSender => {
    made ??= new KMSClient({ maxAttempts: 3 });
    return made;
  };
  const context = (merchantId: string) => ({ merchant_id: merchantId });
  return {
    async generate(merchantId) {
      const { Plaintext: plain, CiphertextBlob: wrapped } = await kms().send(
        new GenerateDataKeyCommand({
          KeyId: keyArn,
          NumberOfBytes: DATA_KEY_BYTES,
          EncryptionContext: context(merchantId),
        }),
      );
      if (plain === undefined || wrapped === undefined) throw new Error('KMS answered without a data key');
      return { plain, wrapped };
    },
    async unwrap(merchantId, wrapped) {
      const { Plaintext: plain } = await kms().send(
        new DecryptCommand({
          KeyId: keyArn,
          CiphertextBlob: wrapped,
          EncryptionContext: context(merchantId),
        }),
      );
      if (plain?.byteLength !== DATA_KEY_BYTES) throw new Error('KMS answered without a data key');
      return plain;
    },
  };
}
