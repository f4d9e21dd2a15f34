import type { Random } from '@sluice/core'
import { decryptText, encryptText } from '#host-parts'
import { rsEncryptModule } from '../../guest-programs.ts'
import type { GuestApiPart } from '../guest-api-part.ts'
import { textArgument } from '../text-arguments.ts'

/**
 * `@rs/encrypt/v1`, RudderStack's library for encryption with RSA: the interface of JSEncrypt, computed by the host. As
 * there, what cannot be encrypted or decrypted is `false`. Source:
 * packages/docs/behaviour/user-code.md#libraries-of-rudderstack.
 *
 * @param random makes the padding, so that the same text has another result each time.
 */
export function encryptLibrary(random: Random): GuestApiPart {
  return {
    modules: { '@rs/encrypt/v1': rsEncryptModule },
    syncCalls: {
      rsaEncrypt: ([key, text]) => encryptText(textArgument('setKey', key), textArgument('encrypt', text), random),
      rsaDecrypt: ([key, text]) => decryptText(textArgument('setKey', key), textArgument('decrypt', text)),
    },
  }
}
