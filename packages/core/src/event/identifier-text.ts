const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Returns the text by which an identifier (userId, anonymousId, messageId) is compared: two identifiers name the same
 * person exactly if these texts are equal. Strings stay as they are, null and undefined become '', other values their
 * JSON text. Control, format and invisible characters are removed, the rest is put into Unicode normalisation form C,
 * so that composed and decomposed letters are the same, and trimmed. Upper and lower case differ.
 *
 * Applied to its own result it changes nothing.
 *
 * Source: packages/docs/behaviour/same-person.md.
 * @example
 * ```ts
 * import { identifierText } from '@sluice/core'
 *
 * console.log([identifierText(' u1\u200b'), identifierText(7), identifierText(null)]) // [ 'u1', '7', '' ]
 * ```
 */
export function identifierText(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return plain.test(text) ? text : text.replace(invisible, '').normalize('NFC').trim()
}

// Most identifiers are printable ASCII without surrounding spaces and need no cleaning.
const plain = /^(?! )[ -~]*(?<! )$/
