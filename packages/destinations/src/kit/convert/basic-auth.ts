import { bytesOf, textOf } from '@sluice/core/bytes'
/** Returns the value of an `Authorization` header for Basic authentication. Source: RFC 7617. */
export function basicAuth(user: string, password = ''): string {
  return `Basic ${textOf(bytesOf(`${user}:${password}`), 'base64')}`
}
