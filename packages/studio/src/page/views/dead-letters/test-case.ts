import type { DeadLetter } from './dead-letter.ts'

/** Returns the text of a test case: a file of `sluice test` with the event, whose path is in its first line. */
export function testCaseOf({
  destinationId,
  messageId,
  event,
}: Pick<DeadLetter, 'destinationId' | 'messageId' | 'event'>): string {
  const name = (text: string): string => text.replaceAll(/[^\w.-]+/g, '-').slice(0, 60) || 'event'
  return `tests/${name(destinationId)}/input/${name(messageId)}.json\n\n${JSON.stringify(event, null, 2)}`
}
