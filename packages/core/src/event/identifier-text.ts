const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Returns the text by which an identifier (userId, anonymousId, messageId) is compared. Strings stay as they are, null
 * and undefined become '', other values their JSON text. Control, format and invisible characters are removed, then the
 * text is trimmed.
 *
 * Source: packages/docs/behaviour/events.md#identifiers.
 */
export function identifierText(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return plain.test(text) ? text : text.replace(invisible, '').trim()
}

// Most identifiers are printable ASCII without surrounding spaces and need no cleaning.
const plain = /^(?! )[ -~]*(?<! )$/
