import colors from 'picocolors'
import { type DevEntry, entryFormat } from './dev-entry.ts'

/** Where `sluice dev` shows what happens. */
export interface DevScreen {
  show(entry: DevEntry): void
  /** Removes the line of the state from a terminal. */
  close(): void
}

/** What the last line of a terminal says. */
interface State {
  workspace: 'starting' | 'live' | 'not live'
  accepted: number
  delivered: number
  failed: number
  tests: string
}

const keys = 'o studio · q quit'

/**
 * Creates the screen for an output: lines of JSON, or of text, on a terminal with a last line that has the state and the
 * counts.
 */
export function createDevScreen(output: NodeJS.WriteStream, isJson: boolean): DevScreen {
  const write = (text: string): void => void output.write(text)
  if (isJson) return { show: (entry) => write(`${JSON.stringify(entry)}\n`), close: () => {} }
  const isTerminal = output.isTTY === true
  const c = colors.createColors(isTerminal && colors.isColorSupported)
  const format = entryFormat(c)
  if (!isTerminal) return { show: (entry) => write(`${format(entry)}\n`), close: () => {} }
  const state: State = { workspace: 'starting', accepted: 0, delivered: 0, failed: 0, tests: '' }
  const erase = '\r\x1b[2K'
  const line = (): string => {
    const { workspace, accepted, delivered, failed, tests } = state
    const parts = [`${accepted} in`, `${delivered} delivered`, `${failed} failed`, tests, keys]
    const text = ` ${parts.filter((part) => part !== '').join(' · ')}`
    const colour = workspace === 'live' ? c.green : workspace === 'not live' ? c.red : c.dim
    // A longer line would wrap, and could not be erased.
    const room = Math.max(0, output.columns - workspace.length - 3)
    return `${colour(`● ${workspace}`)}${text.slice(0, room)}`
  }
  return {
    show(entry) {
      note(state, entry)
      write(`${erase}${format(entry)}\n${line()}`)
    },
    close: () => write(erase),
  }
}

function note(state: State, entry: DevEntry): void {
  if (entry.kind === 'live') state.workspace = 'live'
  if (entry.kind === 'problem') state.workspace = 'not live'
  if (entry.kind === 'tests') state.tests = `tests: ${entry.passed} passed, ${entry.failed} failed`
  if (entry.kind !== 'event') return
  if (entry.outcome === 'accepted') state.accepted += 1
  if (entry.outcome === 'delivered') state.delivered += 1
  if (entry.outcome === 'failed') state.failed += 1
}
