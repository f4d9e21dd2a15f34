import { isJsonObject } from '@sluice/core'
import { query, type SecretMask } from '@sluice/destinations/kit'
import { isMatcher } from './matches.ts'

/** Masks a hand-written request of any shape like a real one. Matchers stay unchanged. */
export function maskExpected(mask: SecretMask, request: unknown): unknown {
  const masked = maskTexts(mask, request)
  if (!isJsonObject(masked) || isMatcher(masked)) return masked
  if (!isJsonObject(masked['headers']) || isMatcher(masked['headers'])) return masked
  const texts = Object.entries(masked['headers']).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const { headers } = mask.request(query({ method: '', endpoint: '', headers: Object.fromEntries(texts) }))
  return { ...masked, headers: { ...masked['headers'], ...headers } }
}

function maskTexts(mask: SecretMask, value: unknown): unknown {
  if (typeof value === 'string') return mask.value(value)
  if (Array.isArray(value)) return value.map((item: unknown) => maskTexts(mask, item))
  if (!isJsonObject(value) || isMatcher(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, maskTexts(mask, member)]))
}
