import { camelCase } from '@sluice/core/camel-case'
import { printable } from '@sluice/core/printable'
import pc from 'picocolors'
import { codeDiff } from './code-diff.ts'
import type { Compared } from './compare-codes.ts'

/** Formats a difference as a title line, notes, and a diff of the code. */
export function changeText(compared: Compared, direction: 'push' | 'pull'): string {
  const { kind, name, local, server, state } = compared
  const title = `${mark(compared, direction)} ${kind} ${printable(name)}`
  const notes = notesOn(compared, direction)
  if (state === 'same') return [pc.dim(`= ${kind} ${printable(name)}`), ...notes].join('\n')
  const [before, after] = direction === 'push' ? [server, local] : [local, server]
  if (after === undefined)
    return pc.dim(`${title}: ${direction === 'push' ? 'only on the server' : 'only here'}, left alone`)
  if (state === 'saved') {
    const diff = direction === 'push' ? [codeDiff(server?.isLive ? server.code : '', after.code)] : []
    return [`${title}: saved on the server, not live yet`, ...notes, ...diff].join('\n')
  }
  // All of its lines are new, so the size says as much as the lines.
  if (before === undefined) return [`${title}  ${pc.dim(linesText(after.code))}`, ...notes].join('\n')
  return [title, ...notes, codeDiff(before.code, after.code)].join('\n')
}

function linesText(code: string): string {
  const lines = code.trimEnd().split('\n').length
  return `new, ${lines} line${lines === 1 ? '' : 's'}`
}

/** Returns notes on differences other than code. */
function notesOn({ kind, local, server, state }: Compared, direction: 'push' | 'pull'): readonly string[] {
  if (!local || !server) return []
  const [before, after] = direction === 'push' ? [server, local] : [local, server]
  const importName = 'importName' in local ? local.importName : ''
  return [
    ...(before.name === after.name ? [] : [`  the name becomes ${printable(after.name)}`]),
    ...(before.description === after.description ? [] : ['  the description changes']),
    ...(before.language === after.language ? [] : [`  the language becomes ${after.language}`]),
    ...(kind === 'transformation' || camelCase(importName) === camelCase(server.importName)
      ? []
      : [
          `  it is imported as ${printable(server.importName)} on the server and as ${printable(importName)} here; a library keeps its import name`,
        ]),
    ...(state === 'changed' && server.draft
      ? [
          `  a newer version, ${server.draft.versionId}, is saved on the server and not live; it stays in the list of versions and is not shown here`,
        ]
      : []),
  ]
}

function mark({ local, server }: Compared, direction: 'push' | 'pull'): string {
  if (local && server) return pc.yellow('~')
  return (direction === 'push') === (local !== undefined) ? pc.green('+') : pc.dim('?')
}
