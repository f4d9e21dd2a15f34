const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu

/**
 * The text by which an identifier (userId, anonymousId, messageId) is compared: strings as they are, null and undefined
 * as '', other values as their JSON text; control, format and invisible characters removed, then trimmed.
 *
 * Source: packages/docs/behaviour/events.md#identifiers.
 */
export function identifierText(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return plain.test(text) ? text : text.replace(invisible, '').trim()
}

// Most identifiers are printable ASCII without a blank at either end, for which there is nothing to do.
const plain = /^(?! )[ -~]*(?<! )$/
