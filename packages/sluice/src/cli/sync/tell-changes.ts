import pc from 'picocolors'
import { printable } from '../printable.ts'
import { codeDiff } from './code-diff.ts'
import type { Compared } from './compare.ts'

/** What would change when `after` takes the place of `before`, for people: a line for each, and the lines of code that differ. */
export function tellChange(compared: Compared, direction: 'push' | 'pull'): string {
  const { kind, name, local, server, state } = compared
  const title = `${mark(compared, direction)} ${kind} ${printable(name)}`
  if (state === 'same') return pc.dim(`= ${kind} ${printable(name)}`)
  if (state === 'saved') return `${title}: saved on the server, not live yet`
  const [before, after] = direction === 'push' ? [server, local] : [local, server]
  if (after === undefined)
    return pc.dim(`${title}: ${direction === 'push' ? 'only on the server' : 'only here'}, left alone`)
  const renamed = before && before.description !== after.description ? '\n  the description changes' : ''
  const language = before && before.language !== after.language ? `\n  the language becomes ${after.language}` : ''
  return `${title}${renamed}${language}\n${codeDiff(before?.code ?? '', after.code)}`
}

function mark({ local, server }: Compared, direction: 'push' | 'pull'): string {
  if (local && server) return pc.yellow('~')
  return (direction === 'push') === (local !== undefined) ? pc.green('+') : pc.dim('?')
}
