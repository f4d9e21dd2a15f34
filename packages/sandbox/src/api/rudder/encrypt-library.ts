import type { Random } from '@sluice/core'
import type { GuestApiPart } from '../guest-api-part.ts'
import { textArgument } from '../text-arguments.ts'
import { rsaDecrypt, rsaEncrypt } from './rsa.ts'
import { parseRsaKey } from './rsa-key.ts'

/**
 * `@rs/encrypt/v1`, RudderStack's library for encryption with RSA: the interface of JSEncrypt, computed by the host. As
 * there, what cannot be encrypted or decrypted is `false`. Source:
 * packages/docs/behaviour/user-code.md#libraries-of-rudderstack.
 *
 * @param random makes the padding, so that the same text has another result each time.
 */
export function encryptLibrary(random: Random): GuestApiPart {
  return {
    modules: { '@rs/encrypt/v1': moduleText },
    syncCalls: {
      rsaEncrypt: ([key, text]) => {
        const found = parseRsaKey(textArgument('setKey', key))
        return (found && rsaEncrypt(found, textArgument('encrypt', text), random)) ?? false
      },
      rsaDecrypt: ([key, text]) => {
        const found = parseRsaKey(textArgument('setKey', key))
        return (found && rsaDecrypt(found, textArgument('decrypt', text))) ?? false
      },
    },
  }
}

const moduleText = `
const call = callHost
export class JSEncrypt {
  #key = ''
  setKey(key) {
    this.#key = key ? \`\${key}\` : ''
  }
  setPublicKey(key) {
    this.setKey(key)
  }
  setPrivateKey(key) {
    this.setKey(key)
  }
  encrypt(text) {
    return call('rsaEncrypt', this.#key, \`\${text}\`)
  }
  decrypt(text) {
    return call('rsaDecrypt', this.#key, \`\${text}\`)
  }
}
export default JSEncrypt
`
