import { bytesOf, textOf } from '@sluice/core/bytes'
import { hashText } from '@sluice/core/hash'

/**
 * Returns the value of an `X-WSSE` header.
 *
 * @param nonce 32 hexadecimal digits, different for each request. Source: Emarsys docs, Authentication (WSSE): the
 * digest is the Base64 of the hexadecimal SHA-1.
 */
export function wsse(user: string, secret: string, { nonce, now }: { readonly nonce: string; readonly now: number }) {
  const created = new Date(now).toISOString()
  const sha1 = hashText('sha1', `${nonce}${created}${secret}`)
  const digest = textOf(bytesOf(sha1), 'base64')
  return `UsernameToken Username="${user}", PasswordDigest="${digest}", Nonce="${nonce}", Created="${created}"`
}
