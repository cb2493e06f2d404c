// Keys made and wrapped by AWS KMS. The name is the encryption context, so a wrapped key put in the place of another does not
// open, and CloudTrail says of every use which wrapping key it was.
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
  return {
    async generate(name) {
      const { Plaintext: plain, CiphertextBlob: wrapped } = await kms().send(
        new GenerateDataKeyCommand({
          KeyId: keyArn,
          NumberOfBytes: DATA_KEY_BYTES,
          EncryptionContext: name,
        }),
      );
      if (plain === undefined || wrapped === undefined) throw new Error('KMS answered without a data key');
      return { plain, wrapped };
    },
    async unwrap(name, wrapped) {
      const { Plaintext: plain } = await kms().send(
        new DecryptCommand({
          KeyId: keyArn,
          CiphertextBlob: wrapped,
          EncryptionContext: name,
        }),
      );
      if (plain?.byteLength !== DATA_KEY_BYTES) throw new Error('KMS answered without a data key');
      return plain;
    },
  };
}
