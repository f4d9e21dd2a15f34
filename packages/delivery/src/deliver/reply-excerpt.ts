import type { DeliveryRequest } from '@sluice/destinations'

const excerptLengthMax = 1_024 // characters
const secretLengthMin = 4 // shorter values would hide half of every reply

/**
 * The beginning of a reply, for a reader of one failed event. Destinations like to quote what they refuse ("invalid
 * token …"), so every value that the request carried in a header or a parameter is hidden first.
 */
export function replyExcerpt(body: string, request: DeliveryRequest): string {
  let text = body
  for (const value of carriedValues(request)) text = text.replaceAll(value, '(hidden)')
  // A cut surrogate pair would not survive being stored as UTF-8.
  return text.slice(0, excerptLengthMax).replace(/[\uD800-\uDBFF]$/, '')
}

function carriedValues({ headers, params }: DeliveryRequest): readonly string[] {
  const values = [...Object.values(headers), ...Object.values(params)]
    .filter((value) => typeof value === 'string')
    // `Bearer x` is quoted as a whole or as `x`; a content type is no secret, and its loss would cost the reader.
    .flatMap((value) => [value, ...value.split(/\s+/)])
    .filter((value) => value.length >= secretLengthMin && !/^[a-z]+\/[a-z.+-]+;?$/.test(value))
  return [...new Set(values)].sort((a, b) => b.length - a.length)
}
