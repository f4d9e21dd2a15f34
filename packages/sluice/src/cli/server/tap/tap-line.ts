import { printable } from '@sluice/core/printable'
import type { TapEntry } from '@sluice/pipeline'
import type colors from 'picocolors'

/** An entry of `GET /v1/tap`, with times in ISO 8601. */
export interface TapLine extends Omit<TapEntry, 'at' | 'code'> {
  readonly at: string
  readonly code?: string
}

type Colors = ReturnType<typeof colors.createColors>

/** Widths of columns. They only grow, so that the columns of later lines stay aligned. */
interface Widths {
  way: number
  name: number
}

const widthMax = 40
/** Longer texts are cut, to keep an entry on one line. */
const textMax = 120
const shown = (text: string): string => printable(text.slice(0, textMax))

/** Formats an entry as one line: time, outcome, source → destination, event, message id, reason. */
export function tapLine(line: TapLine, widths: Widths, colors: Colors): string {
  const { at, sourceId, destinationId, type, event, messageId, outcome, stage, reason = '', code, tookMs } = line
  const way = shown(destinationId === undefined ? sourceId : `${sourceId} → ${destinationId}`)
  const name = shown(event === '' ? type : `${type} ${event}`)
  widths.way = Math.max(widths.way, Math.min(way.length, widthMax))
  widths.name = Math.max(widths.name, Math.min(name.length, widthMax))
  const why = [code, reason].filter(Boolean).join(': ')
  const where = outcome === 'dropped' || outcome === 'failed' ? `${stage}: ` : ''
  return [
    colors.dim(at.slice(11, 23)),
    colorOf(outcome, colors)(outcome.padEnd(9)),
    way.padEnd(widths.way),
    name.padEnd(widths.name),
    colors.dim(shown(messageId)),
    ...(tookMs === undefined ? [] : [colors.dim(`${tookMs} ms`)]),
    ...(why ? [colors.dim(shown(where + why))] : []),
  ].join('  ')
}

function colorOf(outcome: TapLine['outcome'], colors: Colors): (text: string) => string {
  if (outcome === 'failed') return colors.red
  if (outcome === 'delivered') return colors.green
  return outcome === 'accepted' ? colors.dim : colors.yellow
}
