import { camelCase } from '@sluice/core/camel-case'
import { CliError } from '../../cli-error.ts'
import { askServer, type ServerFlags } from '../ask-server.ts'
import { sameText } from '../sync/code-diff.ts'
import { type CodeKind, type ServerCode, serverCodes } from '../sync/server-codes.ts'
import type { ConfigurationPart } from './configuration-part.ts'
import type { FileCode, FileWorkspace } from './file-parts.ts'

/** Code that is saved and published. */
export interface PlannedCode {
  readonly kind: CodeKind
  readonly name: string
  readonly code: string
  /** The code that is live; absent when none is. */
  readonly before?: string
  /** Absent for new code. */
  readonly id?: string
  /** Version that is saved already, and only published. */
  readonly versionId?: string
}

/** A transformation that a destination gets. */
export interface PlannedConnection {
  readonly destination: string
  readonly transformation: string
  /** The transformation that it replaces. */
  readonly before?: string
}

export interface CodePlan {
  readonly codes: readonly PlannedCode[]
  readonly connections: readonly PlannedConnection[]
}

interface TransformationAnswer {
  readonly id: string
  readonly name: string
  readonly destinations?: readonly { readonly id: string }[]
}

/**
 * Compares the code of a workspace file with a server, by the names of transformations and the import names of
 * libraries. A destination without a transformation in the file keeps the one that it has: it may mask data, and code is
 * often published from a folder of its own.
 *
 * @throws CliError when two destinations have different transformations of one name.
 */
export async function planCode(
  flags: ServerFlags,
  { libraries, transformations }: FileWorkspace,
  server: readonly ConfigurationPart[],
): Promise<CodePlan> {
  const ofFile = new Set(server.flatMap(({ kind, id, managedBy }) => (managedBy === 'file' ? [`${kind} ${id}`] : [])))
  const ours = [...transformations].filter(([destination]) => !ofFile.has(`destination ${destination}`))
  if (ours.length + libraries.length === 0) return { codes: [], connections: [] }
  const byName = new Map<string, FileCode>()
  for (const [destination, code] of ours) {
    const other = byName.get(code.name)
    if (other && !sameText(other.code, code.code))
      throw new CliError(
        `destination ${destination}: another destination has a different transformation with the name ${code.name}; give it another name`,
      )
    byName.set(code.name, code)
  }
  const codes = await serverCodes(flags)
  const { transformations: listed } = await askServer<{ transformations: readonly TransformationAnswer[] }>(
    flags,
    'GET',
    '/transformations',
  )
  const connected = new Map(
    listed.flatMap(({ name, destinations = [] }) => destinations.map(({ id }): [string, string] => [id, name])),
  )
  return {
    codes: [
      ...libraries.flatMap((library) => plannedCode('library', library, codes) ?? []),
      ...[...byName.values()].flatMap((code) => plannedCode('transformation', code, codes) ?? []),
    ],
    connections: ours.flatMap(([destination, { name }]) => {
      const before = connected.get(destination)
      if (before === name) return []
      return [{ destination, transformation: name, before }]
    }),
  }
}

/** @returns undefined when the code is live. */
function plannedCode(kind: CodeKind, { name, code }: FileCode, codes: readonly ServerCode[]): PlannedCode | undefined {
  const found = codes.filter(
    (each) =>
      each.kind === kind && (kind === 'library' ? camelCase(each.importName) === camelCase(name) : each.name === name),
  )
  const [first, second] = found
  if (second) throw new CliError(`the server has more than one ${kind} named ${name}; rename or delete one of them`)
  if (first === undefined) return { kind, name, code }
  const isLive = first.isLive && sameText(first.code, code)
  if (isLive) return undefined
  const newest = first.draft ?? first
  return {
    kind,
    name,
    code,
    before: first.isLive ? first.code : undefined,
    id: first.id,
    versionId: sameText(newest.code, code) ? newest.versionId : undefined,
  }
}
