import type { AppliedWorkspaces } from '@sluice/configuration'
import type { Workspace } from '@sluice/core'
import { type Cluster, type Definition, type Engine, routesOf } from '@sluice/pipeline'
import type { Transformations } from '@sluice/transformations'
import { ConnectedTransformations } from '../connected-transformations.ts'
import type { Logger } from '../logger.ts'
import type { KnownDestinations } from './known-destinations.ts'
import { type RefusedAddressNotice, refusedAddressNotices } from './refused-address-notices.ts'
import { type TrustedCodeNotice, trustedCodeNotices } from './trusted-code-notices.ts'
import { trustedWorkspaceNotices } from './trusted-workspace-notices.ts'

interface ApplierParts {
  readonly engine: Pick<Engine, 'use'>
  readonly known: KnownDestinations
  readonly transformations: Pick<Transformations, 'connected'>
  /** Whether the user code of a workspace runs in V8. */
  isTrusted(workspaceId: string): boolean
  /** The processes that share the store, if there are any. */
  readonly cluster: Pick<Cluster, 'defined'> | undefined
  readonly logger: Logger | undefined
  /** Gets which addresses are refused. */
  readonly destinationLogger: Pick<Logger, 'warn'> | undefined
  /** Non-public addresses that destinations may use; undefined where they are not checked here. */
  readonly allowAddresses: readonly string[] | undefined
  onConflict(text: string): void
}

/**
 * Creates a function that puts workspaces into effect between two batches, all or none, with the transformations that
 * are connected through the API. Calls must not overlap.
 */
export function createWorkspaceApplier(parts: ApplierParts): (applied: AppliedWorkspaces) => Promise<void> {
  const { engine, known, transformations, isTrusted, cluster, logger, destinationLogger, allowAddresses, onConflict } =
    parts
  let digest: string | undefined
  /** For the other processes of a cluster. */
  let definition: Definition | undefined
  const connections = new ConnectedTransformations(transformations)
  const conflictsTold = new Set<string>()
  let applied: ReadonlySet<Workspace> = new Set()
  let noticesLogged: ReadonlySet<string> = new Set()

  /** Each notice once, and again when it is about other destinations. */
  function logNotices(workspaces: readonly Workspace[]): void {
    const notices: readonly (TrustedCodeNotice | RefusedAddressNotice)[] = [
      ...trustedCodeNotices(workspaces, known.registry),
      ...trustedWorkspaceNotices(workspaces, isTrusted),
      ...(allowAddresses ? refusedAddressNotices(workspaces, allowAddresses) : []),
    ]
    const keyOf = (notice: TrustedCodeNotice | RefusedAddressNotice): string => JSON.stringify(notice)
    const fresh = notices.filter((notice) => !noticesLogged.has(keyOf(notice)))
    for (const { text, ...fields } of fresh) ('setting' in fields ? destinationLogger : logger)?.warn(fields, text)
    noticesLogged = new Set(notices.map(keyOf))
  }

  async function run(given: readonly Workspace[], isNew: boolean): Promise<void> {
    // Other processes may have connected something at the same time; here, that comes as a call without other news.
    const connected = await connections.of(given, isNew && cluster === undefined)
    const workspaces = connected.map(({ workspace }) => workspace)
    await engine.use(workspaces)
    logNotices(workspaces)
    const conflicts = connected.flatMap((each) => each.conflicts)
    const fresh = conflicts.filter((text) => !conflictsTold.has(text))
    conflictsTold.clear()
    for (const text of conflicts) conflictsTold.add(text)
    for (const text of fresh) onConflict(text)
    const changed = workspaces.filter((workspace) => !applied.has(workspace))
    applied = new Set(workspaces)
    for (const { id, sources, destinations: to } of changed)
      logger?.[digest === undefined ? 'debug' : 'info'](
        { workspace: id, sources: sources.length, destinations: to.length },
        'workspace applied',
      )
  }

  return async ({ workspaces, destinations, ...digests }) => {
    const isNew = digests.digest !== digest
    const apply = () => run(workspaces, isNew)
    if (isNew) await cluster?.defined(undefined)
    try {
      await (destinations ? known.during(destinations, apply) : apply())
      digest = digests.digest
      if (isNew && cluster) definition = { ...digests, routes: routesOf(workspaces) }
    } finally {
      if (isNew) await cluster?.defined(definition)
    }
  }
}
