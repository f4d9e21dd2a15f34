import { createOwnDataEraser, searchUser } from '@sluice/pipeline'
import { createCertificates, createDeletions, createRegulations, forgetWritings } from '@sluice/regulation'
import { defaultSchemaLimits } from '@sluice/schema'
import { withNotedDeletions, withNotedRegulations } from '../changes/with-noted-regulations.ts'
import { createCertifiedDestinations } from '../governance/create-certified-destinations.ts'
import { createEraserFinder } from '../governance/create-eraser-finder.ts'
import { createOpenDsr } from '../governance/create-opendsr.ts'
import { createShredding } from '../governance/create-shredding.ts'
import { createHeldDeletionsCount } from '../governance/held-deletions.ts'
import { createDestinationSearch } from '../governance/search-destinations.ts'
import { createUntilQuiet } from '../governance/until-quiet.ts'
import { ownVersion } from '../workspace/own-version.ts'
import type { Base } from './base.ts'
import type { FlowParts } from './flow.ts'
import type { StoreParts } from './stores.ts'

export type GovernanceParts = ReturnType<typeof assembleGovernance>

/**
 * Builds what regulates the data of users. An order runs in a circle, so these parts call each other once they are started:
 * a request makes a regulation, that wakes the deletions, and their end wakes the call-backs of the request.
 */
export function assembleGovernance(base: Base, stores: StoreParts, flow: FlowParts) {
  const { options, clock, random, logger, onError } = base
  const { store, cluster, ledger, index, comparison, changes, notes, isActive } = stores
  const { engine, catalogue, destinations, nameIn, tap, transport, workspaces } = flow
  const valueLengthMax = options.schemaLimits?.valueLengthMax ?? defaultSchemaLimits.valueLengthMax
  const place = options.ledger?.place
  const everywhere = changes && (() => changes.applied('regulation'))
  const stored = createRegulations({
    store: store.regulations,
    index,
    ledger,
    clock,
    random,
    deletionsPerHour: options.deletionsPerHour,
    everywhere,
    aliases: () => comparison.aliases,
    onDeletions: () => deletions.wake(),
    workspace: (id) => {
      const workspace = workspaces().find((each) => each.id === id)
      const isStorage = (type: string): boolean => destinations.get(type)?.storage !== undefined
      return {
        sourceIds: new Set(workspace?.sources.map((source) => source.id)),
        destinations: new Map(workspace?.destinations.map((each) => [each.id, { isStorage: isStorage(each.type) }])),
      }
    },
  })
  const forgetting: typeof stored = {
    ...stored,
    // A message id may name the user.
    create: (workspaceId, request) =>
      stored.create(workspaceId, request).finally(() => tap.forget(workspaceId, clock.now())),
  }
  const regulations = withNotedRegulations(forgetting, notes)
  const certificates = createCertificates({
    place,
    store: store.regulations,
    clock,
    processor: `Sluice ${ownVersion()}`,
    destinations: createCertifiedDestinations({ workspaces, destinations }),
    searchDestinations: createDestinationSearch({ workspaces, destinations, transport, clock, random }),
    search: (workspaceId, attributes) => searchUser({ workspaceId, attributes }, { store, catalogue, clock, engine }),
  })
  const { requests: subjectRequests, callbacks } = createOpenDsr({
    place,
    store,
    engine,
    regulations,
    certificates,
    transport,
    allowAddresses: options.allowAddresses ?? [],
    clock,
    logger,
    isActive,
    onError,
  })
  const deletions = createDeletions({
    store: store.regulations.deletions,
    clock,
    eraser: createEraserFinder({
      workspaces,
      destinations,
      transport,
      clock,
      random,
      writings: store.regulations.writings,
      loads: store.loads,
      own: (workspaceId) => createOwnDataEraser({ workspaceId, store, catalogue, engine, clock, valueLengthMax }),
    }),
    onEnded: async (jobs) => {
      await Promise.all([forgetWritings(store.regulations, jobs), callbacks.deletionsEnded(jobs)])
    },
    quiet: createUntilQuiet({ index, engine: changes ?? engine.erasure, everywhere }),
    isActive,
    onBroughtForward: () => cluster?.tryNow({ kind: 'deletions' }),
    onError,
  })
  const shredding =
    ledger && createShredding({ ledger, days: options.ledger?.backupsKeptDays, isActive, clock, onError })
  return {
    regulations,
    deletions: withNotedDeletions(deletions, notes, nameIn),
    heldDeletions: createHeldDeletionsCount({ store: store.regulations.deletions, clock, onError }),
    certificates,
    subjectRequests,
    async start() {
      await deletions.start()
      callbacks.start()
      shredding?.start()
    },
    /** @param deletionsMs how long deletions under way may take to end. */
    async stop(deletionsMs: number) {
      await shredding?.stop()
      await deletions.stop(deletionsMs)
      await callbacks.stop()
    },
  }
}
