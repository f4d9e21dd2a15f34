import type { PlacedProblem } from '@sluice/configuration/file'
import type { JsonObject } from '@sluice/core'
import { printable, printableLines } from '@sluice/core/printable'
import type colors from 'picocolors'
import { type TapLine, tapLine } from '../tap/tap-line.ts'

/** Something that `sluice dev` shows: with --json one object per line, else as text. */
export type DevEntry =
  | { readonly kind: 'serving'; readonly url: string; readonly studio: string; readonly store: string }
  | {
      /** The workspace on disk is the one that runs. */
      readonly kind: 'live'
      /** Files that changed, relative to the current folder. */
      readonly changed: readonly string[]
      /** Milliseconds since the change. */
      readonly timeMs: number
    }
  | {
      /** What is on disk cannot run. What ran before keeps running. */
      readonly kind: 'problem'
      readonly text: string
      readonly problems: readonly PlacedProblem[]
    }
  | ({ readonly kind: 'event' } & TapLine)
  /** Events that are not shown, because there were too many. */
  | { readonly kind: 'eventsLeftOut'; readonly count: number }
  | {
      readonly kind: 'tests'
      readonly passed: number
      readonly failed: number
      /** The report of `sluice test`. */
      readonly text: string
    }
  | {
      readonly kind: 'log'
      readonly level: 'info' | 'warn' | 'error'
      readonly text: string
      readonly fields: JsonObject
    }
  /** What a destination of type CONSOLE wrote. */
  | { readonly kind: 'output'; readonly text: string }
  /** Something to know or to try. */
  | { readonly kind: 'hint'; readonly text: string }

type Colors = ReturnType<typeof colors.createColors>

/** Returns a function that formats entries as text: one line each, or a few. */
export function entryFormat(c: Colors): (entry: DevEntry) => string {
  const widths = { way: 0, name: 0 }
  return (entry) => {
    switch (entry.kind) {
      case 'serving':
        return `Serving on ${entry.url}, events ${entry.store}\nStudio: ${entry.studio}`
      case 'live': {
        const files = entry.changed.map((file) => printable(file)).join(', ')
        if (files === '') return `${c.green('live')}  the workspace runs; a saved change runs from the next event on`
        return `${c.green('live')}  ${files}  ${c.dim(`${Math.round(entry.timeMs)} ms after the change`)}`
      }
      case 'problem':
        return `${c.red('not live')}  ${printableLines(entry.text)}\n${c.dim('What ran before keeps running. Save the mended file to try again.')}`
      case 'event':
        return tapLine(entry, widths, c)
      case 'eventsLeftOut':
        return c.dim(`${entry.count} more events, not shown`)
      case 'tests':
        return `${c.bold('tests')}  ${entry.text}`
      case 'log': {
        const fields = Object.entries(entry.fields).map(
          ([name, value]) => `${name}=${printable(JSON.stringify(value))}`,
        )
        const level = entry.level === 'error' ? c.red('error') : entry.level === 'warn' ? c.yellow('warning') : 'info'
        return `${level}  ${printable(entry.text)}${fields.length === 0 ? '' : c.dim(`  ${fields.join(' ')}`)}`
      }
      case 'output':
        return printableLines(entry.text)
      case 'hint':
        return entry.text
    }
  }
}
