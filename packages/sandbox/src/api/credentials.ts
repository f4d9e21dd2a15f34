import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { GuestApiPart } from './guest-api-part.ts'

/** What a run brings for getCredential. */
export interface CredentialContext {
  /** Values by key; those of one run are never seen by another. */
  readonly credentials?: JsonObject
}

/**
 * `getCredential(key)`: the value of a credential of the run, undefined for a key that there is none of. Own keys only:
 * `constructor` is not a credential. Outside of a run, when modules are loaded, it throws. Source:
 * packages/docs/behaviour/user-code.md#credentials.
 */
export function credentialsPart(): GuestApiPart {
  return { globals, syncCalls: { credential } }
}

// A list of one, because null would not tell an unknown key from a credential that is null.
function credential([key]: readonly JsonValue[], context?: CredentialContext): JsonValue {
  const credentials = context?.credentials
  // Modules are loaded once, for runs with other credentials as well.
  if (credentials === undefined) throw new Error(notWhileLoading)
  if (typeof key !== 'string' || !isJsonObject(credentials) || !Object.hasOwn(credentials, key)) return []
  return [credentials[key] ?? null]
}

const notWhileLoading =
  'getCredential gives credentials within transformEvent and transformBatch, not while modules are loaded'

const globals = `
(function () {
  const call = callHost
  const NativeTypeError = TypeError
  const getCredential = (key) => {
    if (key === null || key === undefined) throw new NativeTypeError('Key should be valid and defined')
    return call('credential', \`\${key}\`)[0]
  }
  Object.defineProperty(globalThis, 'getCredential', { value: getCredential, writable: true, configurable: true })
})()
`
