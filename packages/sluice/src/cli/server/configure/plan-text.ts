import type { JsonValue } from '@sluice/core'
import { printable } from '@sluice/core/printable'
import pc from 'picocolors'
import { codeDiff } from '../sync/code-diff.ts'
import type { PlannedPart } from './configuration-plan.ts'
import type { MemberChange } from './member-changes.ts'
import { hasChanges, type WorkspacePlan } from './workspace-plan.ts'

const marks = {
  create: pc.green('+'),
  update: pc.yellow('~'),
  replace: pc.yellow('-/+'),
  delete: pc.red('-'),
}
/** Characters of a value that are shown. */
const shownLengthMax = 100

/** Returns a plan in lines: what is created, changed with each member, replaced and deleted. */
export function planText(plan: WorkspacePlan): string {
  const { parts, codes, connections, rename, unchanged, managedByFile, onlyOnServer, notes } = plan
  const renamed = rename ? [`${marks.update} workspace: name ${shown(rename.before)} → ${shown(rename.after)}`] : []
  const published = codes.map(({ kind, name, before, code }) => {
    const mark = before === undefined ? marks.create : marks.update
    const diff = before === undefined ? '' : `\n${codeDiff(before, code)}`
    return `${mark} ${kind} ${printable(name)}${diff}`
  })
  const connected = connections.map(({ destination, transformation, before }) => {
    const instead = before === undefined ? '' : `, instead of ${printable(before)}`
    return `${marks.update} destination ${printable(destination)}: runs transformation ${printable(transformation)}${instead}`
  })
  const lines = [
    ...renamed,
    ...published,
    ...parts.map(partText),
    ...connected,
    ...managedByFile.map((name) =>
      pc.dim(`= ${printable(name)}: defined by the workspace file of the server, left alone`),
    ),
    ...onlyOnServer.map((name) => pc.dim(`? ${printable(name)}: only on the server, left alone (--prune deletes it)`)),
    ...notes.map((note) => pc.dim(`note: ${printable(note)}`)),
  ]
  return [...lines, ...(hasChanges(plan) ? [`\n${countsText(plan)}`] : [pc.dim(`${unchanged} unchanged`)])].join('\n')
}

function partText({ action, kind, name, members }: PlannedPart): string {
  const title = `${marks[action]} ${kind} ${printable(name)}`
  // Of a new part, everything is new: its members are in the file.
  if (action === 'create' || action === 'delete') return title
  return [title, ...members.map((member) => `    ${memberText(member)}`)].join('\n')
}

function memberText({ path, before, after, secret }: MemberChange): string {
  if (secret) return `${printable(path)}: changed (secret)`
  if (before === undefined) return `${printable(path)}: ${shown(after)} (new)`
  return `${printable(path)}: ${shown(before)} → ${after === undefined ? 'nothing' : shown(after)}`
}

function shown(value: JsonValue | undefined): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return printable(text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text)
}

/** Returns the counts in words. @param isDone whether the plan was carried out. */
export function countsText(plan: WorkspacePlan, isDone = false): string {
  const { parts, codes, connections, rename, unchanged } = plan
  const count = (...actions: readonly PlannedPart['action'][]): number =>
    parts.filter(({ action }) => actions.includes(action)).length
  const newCodes = codes.filter(({ before }) => before === undefined).length
  const created = count('create') + newCodes
  const changed = count('update') + codes.length - newCodes + connections.length + (rename ? 1 : 0)
  const [create, change, replace, remove] = isDone
    ? ['created', 'changed', 'replaced', 'deleted']
    : ['to create', 'to change', 'to replace', 'to delete']
  return `${created} ${create}, ${changed} ${change}, ${count('replace')} ${replace}, ${count('delete')} ${remove}, ${unchanged} unchanged`
}

/** Returns a plan as JSON. */
export function planJson({ parts, codes, connections, rename, ...others }: WorkspacePlan) {
  const { workspaceId, unchanged, managedByFile, onlyOnServer, notes } = others
  return {
    workspaceId,
    changes: [
      ...(rename
        ? [
            {
              action: 'update',
              kind: 'workspace',
              name: rename.after,
              members: [{ path: 'name', before: rename.before, after: rename.after }],
            },
          ]
        : []),
      ...codes.map(({ kind, name, before }) => ({
        action: before === undefined ? 'create' : 'update',
        kind,
        name,
        members: [],
      })),
      ...parts.map(({ action, kind, name, members }) => ({ action, kind, name, members })),
      ...connections.map(({ destination, transformation, before }) => ({
        action: 'update',
        kind: 'destination',
        name: destination,
        members: [{ path: 'transformation', before, after: transformation }],
      })),
    ],
    unchanged,
    managedByFile,
    onlyOnServer,
    notes,
  }
}
