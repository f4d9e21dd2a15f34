import { createHash } from 'node:crypto'
import type { Workspace } from '@sluice/core'
import type { DestinationSource } from '@sluice/destinations'
import type { Cluster, Engine } from '@sluice/pipeline'
import type { TransformationPrograms, Transformations } from '@sluice/transformations'
import { connectTransformations } from '../connect-transformations.ts'
import type { Logger } from '../logger.ts'
import { clusterProblems } from './cluster-problems.ts'
import { codeProblems } from './code-problems.ts'
import { type KnownDestinations, registryWith } from './known-destinations.ts'
import { parseWorkspaces } from './parse-workspaces.ts'
import { WorkspaceFileError } from './problem.ts'
import { inOneForm } from './read-workspace-file.ts'
import { type TrustedCodeNotice, trustedCodeNotices } from './trusted-code-notices.ts'

/** Applies definitions of workspaces to the running pipeline, one change at a time. */
export interface WorkspaceApplier {
  /**
   * Applies a new definition between two batches, completely or not at all.
   * @param added replaces the destination types in addition to the built-in ones; default unchanged.
   * @throws WorkspaceFileError
   */
  use(definition: unknown, added?: readonly DestinationSource[]): Promise<void>
  /** Applies the current definition again, with the current connections made through the API. */
  reconnect(): Promise<void>
}

export function createWorkspaceApplier(parts: {
  readonly engine: Engine
  readonly known: KnownDestinations
  readonly programs: TransformationPrograms
  readonly transformations: Transformations
  readonly env: Readonly<Record<string, string | undefined>>
  /** The processes that share the store, if there are any. */
  readonly cluster: Pick<Cluster, 'defined'> | undefined
  readonly logger: Logger | undefined
  onConflict(text: string): void
}): WorkspaceApplier {
  const { engine, known, programs, transformations, env, cluster, logger, onConflict } = parts
  // From the workspace file, without the connections made through the API.
  let defined: readonly Workspace[] = []
  let definedDigest: string | undefined
  let applying: Promise<unknown> = Promise.resolve()
  const conflictsTold = new Set<string>()
  let noticesLogged: ReadonlySet<string> = new Set()

  function inTurn(work: () => Promise<void>): Promise<void> {
    const mine = applying.then(work)
    applying = mine.catch(() => {})
    return mine
  }

  /** Each notice once, and again when it is about other destinations. */
  function logTrustedCode(workspaces: readonly Workspace[]): void {
    const notices = trustedCodeNotices(workspaces, known.registry)
    const keyOf = (notice: TrustedCodeNotice): string => JSON.stringify(notice)
    const fresh = notices.filter((notice) => !noticesLogged.has(keyOf(notice)))
    for (const { text, ...fields } of fresh) logger?.warn(fields, text)
    noticesLogged = new Set(notices.map(keyOf))
  }

  async function run(workspaces: readonly Workspace[]): Promise<void> {
    const connected = await connectTransformations(workspaces, transformations)
    await engine.use(connected.workspaces)
    logTrustedCode(connected.workspaces)
    const fresh = connected.conflicts.filter((text) => !conflictsTold.has(text))
    conflictsTold.clear()
    for (const text of connected.conflicts) conflictsTold.add(text)
    for (const text of fresh) onConflict(text)
    for (const { id, sources, destinations: to } of connected.workspaces)
      logger?.[defined.length === 0 ? 'debug' : 'info'](
        { workspace: id, sources: sources.length, destinations: to.length },
        'workspace applied',
      )
  }

  return {
    async use(definition, added) {
      const next = added ? registryWith(added) : known.registry
      const parsed = parseWorkspaces(inOneForm(definition), { destinations: next, env })
      const ofCode = await codeProblems(parsed.transformations, programs)
      const problems = [...parsed.problems, ...ofCode, ...(cluster ? clusterProblems(parsed.workspaces, next) : [])]
      if (problems.length > 0) throw new WorkspaceFileError(problems)
      const apply = () => run(parsed.workspaces)
      const digest = createHash('sha256').update(JSON.stringify(definition)).digest('hex')
      await inTurn(async () => {
        await cluster?.defined(undefined)
        try {
          await (added ? known.during(next, apply) : apply())
          defined = parsed.workspaces
          definedDigest = digest
        } finally {
          await cluster?.defined(definedDigest)
        }
      })
    },
    reconnect: () => inTurn(() => run(defined)),
  }
}
