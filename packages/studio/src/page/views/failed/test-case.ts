import type { DeadLetter } from './dead-letter.ts'

/**
 * Returns the text of a test case: a file of `sluice test` with the event, whose path is in its first line.
 * @param transformation its name. Its folder has the name of the file that `sluice pull` gives it.
 */
export function testCaseOf(
  transformation: string,
  { messageId, event }: Pick<DeadLetter, 'messageId' | 'event'>,
): string {
  const folder = transformation.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '') || 'transformation'
  const file =
    messageId
      .replaceAll(/[^\w.-]+/g, '-')
      .replace(/^\.+/, '')
      .slice(0, 60) || 'event'
  return `tests/${folder}/input/${file}.json\n\n${JSON.stringify(event, null, 2)}`
}
