import { isDeepStrictEqual } from 'node:util'
import { createConfiguration } from '@sluice/configuration'
import { createTransformations } from '@sluice/transformations'
import { createFileNotes } from '../changes/file-notes.ts'
import { recordFact } from '../changes/record-facts.ts'
import { withNotedCode } from '../changes/with-noted-code.ts'
import type { Sluice } from '../sluice.ts'
import { clusterRefusal } from '../workspace/cluster-refusal.ts'
import { codeProblems } from '../workspace/code-problems.ts'
import { createStoredRefusal } from '../workspace/stored-refusal.ts'
import { createWorkspaceApplier } from '../workspace/workspace-applier.ts'
import { trustMarksOf } from '../workspace/workspace-sandbox.ts'
import type { Base } from './base.ts'
import type { FlowParts } from './flow.ts'
import type { StoreParts } from './stores.ts'

/** Most settings without effect that a log line names. */
const unknownSettingsMax = 100

export type DefinitionParts = ReturnType<typeof assembleDefinitions>

/** Builds what defines the flow: user code, and the configuration that connects it with sources and destinations. */
export function assembleDefinitions(base: Base, { store, cluster, changes, notes }: StoreParts, flow: FlowParts) {
  const { options, clock, random, logger, destinationLogger } = base
  const { engine, known, destinations, sandbox, programs, workspaces } = flow
  const transformations = createTransformations({
    store: store.transformations,
    sandbox,
    programs,
    clock,
    random,
    destinationIds: (id) =>
      workspaces()
        .find((each) => each.id === id)
        ?.destinations.map((each) => each.id) ?? [],
    // Called when code is published, and so not before there is a configuration.
    onLive: async () => {
      await configuration.reload()
      await changes?.applied('code')
    },
  })
  const configuration = createConfiguration({
    store: store.configuration,
    destinations,
    env: options.env ?? process.env,
    clock,
    random,
    inTurn: (workspaceId, work) => engine.inTurn({ workspaceId }, work),
    refusal: cluster ? clusterRefusal : undefined,
    storedRefusal: createStoredRefusal({ localDestinations: options.localDestinations ?? false }),
    async check({ transformations: defined, workspaces: checked }) {
      const [before, marks] = [sandbox.marks, trustMarksOf(checked)]
      if (isDeepStrictEqual(before, marks)) return codeProblems(defined, programs)
      // Also for what runs: programs that were compiled elsewhere are compiled again.
      sandbox.marks = marks
      await programs.close()
      let isAccepted = false
      try {
        const problems = await codeProblems(defined, programs)
        isAccepted = problems.length === 0
        return problems
      } finally {
        // Also when an engine does not start: what is not accepted must make no code trusted.
        if (!isAccepted) {
          sandbox.marks = before
          await programs.close()
        }
      }
    },
    apply: createWorkspaceApplier({
      engine,
      known,
      transformations,
      isTrusted: (workspaceId) => sandbox.isTrusted(workspaceId),
      cluster,
      logger,
      destinationLogger,
      // A transport of the program checks addresses itself, or not.
      allowAddresses: options.transport ? undefined : (options.allowAddresses ?? []),
      onConflict: (text) => options.onConflict?.(text),
    }),
    everywhere: changes ? () => changes.applied('configuration') : undefined,
    waiting: async (workspaceId, destinationId) => {
      const counts = (await engine.reports.stats(workspaceId)).flatMap((source) => source.destinations)
      return counts.reduce((sum, each) => (each.destinationId === destinationId ? sum + each.pending : sum), 0)
    },
    onChanged: (workspaceId, changed) =>
      notes.note(
        workspaceId,
        changed.map((record) => recordFact(record, flow.nameIn(workspaceId))),
      ),
    onLeftOut: ({ workspaceId: workspace, kind, id }, problems) =>
      logger?.error({ workspace, kind, id, problems }, 'a stored part of the configuration is not in use'),
    onUnknownSettings: (problems) =>
      logger?.warn(
        { settings: problems.slice(0, unknownSettingsMax).map(({ path, allowed }) => `${path}: ${allowed}`) },
        `settings that their destination type does not have, and so without effect: ${problems.length}`,
      ),
  })
  const fileNotes = createFileNotes({ configuration, log: store.changeLog, notes })
  const updateWorkspace: Sluice['updateWorkspace'] = async (definition, added) => {
    await configuration.define(definition, added && known.withAdded(added))
    await fileNotes.fileRead(workspaces().map(({ id }) => id)).catch(base.onError)
  }
  return { transformations: withNotedCode(transformations, notes, flow.nameIn), configuration, updateWorkspace }
}
