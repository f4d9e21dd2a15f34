import { createSign } from 'node:crypto'

/** Returns the RS256 signature of a text in base64url. @param privateKey in PEM. @throws Error when it cannot sign. */
export function signRs256(text: string, privateKey: string): string {
  return createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')
}
