import type { JsonObject } from '@sluice/core'
import { convert, type DeletionContext, objectsIn } from '../../kit/index.ts'
import { wsse } from './wsse.ts'

const emailField = '3' // id of the email field in every account

/** Returns the id of the field that identifies contacts. */
export function fieldOf({ emersysCustomIdentifier }: JsonObject): string {
  return convert.text(emersysCustomIdentifier || emailField)
}

/** Returns the trait for a field. Without a mapping, it is the email. */
export function traitOf(field: string, { fieldMapping }: JsonObject): string {
  const mapped = objectsIn(fieldMapping)
  return convert.text(
    mapped.find(({ emersysProperty }) => convert.text(emersysProperty ?? '') === field)?.['rudderProperty'] || 'email',
  )
}

/** Returns the headers of a request, with its one-time credentials; undefined when the settings have none. */
export function emarsysHeaders(
  { emersysUsername: name, emersysUserSecret: secret }: JsonObject,
  { now, requestId }: DeletionContext,
): Readonly<Record<string, string>> | undefined {
  if (!name || !secret) return undefined
  const token = { now, nonce: requestId.replaceAll('-', '') }
  return {
    'Content-Type': 'application/json',
    Accept: 'application/json',
    'X-WSSE': wsse(convert.text(name), convert.text(secret), token),
  }
}
