import { createPiiFinder, maskText, piiKinds } from '@sluice/pii'

/** Characters of a reason; an index of PostgreSQL holds 2,704 bytes with all columns. */
const lengthMax = 300
/** Characters of a message that are searched for personal data. */
const searchedMax = 2_000

const find = createPiiFinder(new Set(piiKinds))

/**
 * Returns the text by which dead letters are grouped: the beginning of the message, with personal data masked, so that
 * failures that differ in it share a group. A text it returned stays unchanged.
 */
export function deadLetterReason(message: string): string {
  const searched = message.slice(0, searchedMax)
  // A cut may leave half of a surrogate pair, and a message that quotes user code may contain one.
  return Buffer.from((maskText(searched, find) ?? searched).slice(0, lengthMax)).toString()
}
