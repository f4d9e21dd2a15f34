import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { credentialsGlobals } from '../../guest-programs.ts'
import type { GuestApiPart } from '../guest-api-part.ts'

/** The part of a run's context that getCredential needs. */
export interface CredentialContext {
  /** Values by key. Never visible to another run. */
  readonly credentials?: JsonObject
}

/**
 * Creates `getCredential(key)`, which returns the value of a credential of the run, or undefined for an unknown key.
 * Only own keys count: `constructor` is not a credential. Throws outside a run, that is, while modules are loaded.
 * Source: packages/docs/behaviour/user-code.md#credentials.
 */
export function credentialsPart(): GuestApiPart {
  return { globals: credentialsGlobals, syncCalls: { credential } }
}

// Returns the value in a list, because null alone could be an unknown key or a credential that is null.
function credential([key]: readonly JsonValue[], context?: CredentialContext): JsonValue {
  const credentials = context?.credentials
  // Modules are loaded once, for runs with different credentials.
  if (credentials === undefined) throw new Error(notWhileLoading)
  if (typeof key !== 'string' || !isJsonObject(credentials) || !Object.hasOwn(credentials, key)) return []
  return [credentials[key] ?? null]
}

const notWhileLoading =
  'getCredential gives credentials within transformEvent and transformBatch, not while modules are loaded'
