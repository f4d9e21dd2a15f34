import type { JsonObject } from '@sluice/core'
import { createSecretMask, type SecretMask } from '@sluice/destinations/kit'

/** Adds the tokens of an account to a mask for the secrets of settings. */
export function maskTokens(
  ofSettings: Pick<SecretMask, 'request' | 'value'>,
  tokens: JsonObject,
): Pick<SecretMask, 'request' | 'value'> {
  const ofTokens = createSecretMask({ secrets: Object.keys(tokens) }, tokens)
  return {
    request: (request) => ofTokens.request(ofSettings.request(request)),
    value: (value) => ofTokens.value(ofSettings.value(value)),
  }
}
