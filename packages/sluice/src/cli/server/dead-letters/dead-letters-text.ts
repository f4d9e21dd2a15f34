import { printable } from '@sluice/core/printable'
import { table } from '@sluice/core/table'
import { cutName, wrapLine } from '../../terminal/wrap.ts'

/** A dead letter as servers list it. */
export interface DeadLetter {
  readonly id: string
  readonly destinationId: string
  readonly messageId: string
  readonly at: string
  readonly stage: string
  readonly code: string
  /** Path of the page about the code; servers of an older version have none. */
  readonly docs?: string
  readonly reason: string
}

/** Characters shown of texts from senders and destinations. */
const cellCharsMax = 100

/** Formats dead letters as a table, or, where that is too wide, as two lines each. */
export function deadLettersText(letters: readonly DeadLetter[], width: number): string {
  const rows = letters.map(({ id, at, destinationId, stage, messageId, reason }) => [
    id,
    at,
    destinationId,
    stage,
    printable(messageId).slice(0, cellCharsMax),
    printable(reason.split('\n', 1)[0] ?? '').slice(0, cellCharsMax),
  ])
  const text = table([['id', 'at', 'destination', 'stage', 'message', 'reason'], ...rows], 6)
  if (text.split('\n').every(({ length }) => length <= width)) return text
  return rows
    .map(([id = '', at = '', destination = '', stage = '', messageId = '', reason = '']) => {
      const first = `${id}  ${at.replace(/\.\d+Z$/, 'Z')}  `
      const second = wrapLine(`  ${stage}: ${reason} (${messageId})`, width, 4)
      return `${first}${cutName(destination, width - first.length)}\n${second}`
    })
    .join('\n')
}
