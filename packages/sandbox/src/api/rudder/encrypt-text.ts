import type { Random } from '@sluice/core'
import { rsaDecrypt, rsaEncrypt } from './rsa.ts'
import { parseRsaKey } from './rsa-key.ts'

/** Returns a text encrypted with a public key, in base64; false when it cannot be. @param key in PEM. */
export function encryptText(key: string, text: string, random: Random): string | false {
  const found = parseRsaKey(key)
  return (found && rsaEncrypt(found, text, random)) ?? false
}

/** Returns a text decrypted with a private key; false when it cannot be. @param key in PEM. @param text in base64. */
export function decryptText(key: string, text: string): string | false {
  const found = parseRsaKey(key)
  return (found && rsaDecrypt(found, text)) ?? false
}
