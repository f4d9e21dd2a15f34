import { ensureWorkspace } from '@sluice/configuration'
import { warnOfHeldDeletions } from '../governance/warn-of-held-deletions.ts'
import type { Base } from './base.ts'
import type { DefinitionParts } from './definitions.ts'
import type { GovernanceParts } from './governance.ts'
import type { StoreParts } from './stores.ts'

/** Compares the store with the ledger, applies the workspace, and orders deletions again that the store has lost. */
export async function applyWorkspace(
  { options, clock, logger, onError }: Base,
  { store, ledger, comparison, index }: StoreParts,
  { regulations, heldDeletions }: GovernanceParts,
  { updateWorkspace }: DefinitionParts,
): Promise<void> {
  // Before anything can be served: the store may be older than its regulations.
  const compared = await comparison.compare()
  // A failed read is tried again; until then events are refused.
  await index.catchUp().catch(onError)
  if (options.workspace === undefined) await ensureWorkspace(store.configuration, clock)
  await updateWorkspace(options.workspace ?? { workspaces: [] })
  // Needs the destinations.
  await regulations.deleteAgain(compared)
  await ledger?.settle()
  await warnOfHeldDeletions(heldDeletions, logger)
}
