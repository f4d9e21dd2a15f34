import type { DeliveryRequest } from '@sluice/destinations'

const excerptLengthMax = 1_024 // characters
const secretLengthMin = 4 // shorter values would hide half of every reply

/**
 * Returns the beginning of a reply, for people who look at a failed event. Destinations often quote what they refuse
 * ("invalid token …"), so all values of headers and parameters of the requests are hidden first.
 */
export function replyExcerpt(body: string, ...requests: readonly DeliveryRequest[]): string {
  const text = withoutCarriedValues(body, ...requests)
  // Half of a surrogate pair cannot be stored as UTF-8.
  return text.slice(0, excerptLengthMax).replace(/[\uD800-\uDBFF]$/, '')
}

/** Hides the values of headers and parameters of requests in a text, such as a reply that quotes them. */
export function withoutCarriedValues(text: string, ...requests: readonly DeliveryRequest[]): string {
  const values = new Set(requests.flatMap(carriedValues))
  return [...values]
    .sort((a, b) => b.length - a.length)
    .reduce((hidden, value) => hidden.replaceAll(value, '(hidden)'), text)
}

function carriedValues({ headers, params }: DeliveryRequest): readonly string[] {
  const values = [...Object.values(headers), ...Object.values(params)]
    .filter((value) => typeof value === 'string')
    // `Bearer x` may be quoted as a whole or as `x`. Content types are not secret, and useful to the reader.
    .flatMap((value) => [value, ...value.split(/\s+/)])
    .filter((value) => value.length >= secretLengthMin && !/^[a-z]+\/[a-z.+-]+;?$/.test(value))
  return values
}
