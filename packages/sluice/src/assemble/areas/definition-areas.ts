import { checkCredentials, ownedTransport } from '@sluice/delivery'
import {
  createChecksArea,
  createConfigurationArea,
  createDefinitionsArea,
  createDiffsArea,
  createPlansArea,
  createTransformationsArea,
  createTrialArea,
  type SearchTurns,
} from '@sluice/http'
import { tryDestination } from '@sluice/pipeline'
import { createCompareLog } from '../../diffs/compare-log.ts'
import type { Base } from '../base.ts'
import type { DefinitionParts } from '../definitions.ts'
import type { FlowParts } from '../flow.ts'
import type { StoreParts } from '../stores.ts'
import type { Gates } from './gates.ts'

/** Time limit of a test. User code and replies have their own, much lower limits. */
const trialTimeMs = 120_000
/** Time limit of a check of credentials: tokens, the check, new tokens and the check again have 10 s each. */
const checkTimeMs = 60_000

/** Creates the areas that define the flow, and try what was defined. */
export function createDefinitionAreas(
  { options, clock, random }: Base,
  { store }: StoreParts,
  { destinations, programs, transport, engine, masks, sandbox }: FlowParts,
  { transformations, configuration }: DefinitionParts,
  { gate }: Gates,
  addressOf: (url: string) => string,
  searches: SearchTurns,
) {
  return {
    transformations: createTransformationsArea({ gate, transformations, changeLog: store.changeLog }),
    test: createTrialArea({
      gate,
      destinations,
      tryDestination: (trial) =>
        tryDestination(
          trial,
          { programs, transport, clock, random, stages: options.stages },
          AbortSignal.timeout(trialTimeMs),
        ),
    }),
    checks: createChecksArea({
      gate,
      destinations,
      checkCredentials: ({ id }, { settings }, definition) =>
        checkCredentials({
          definition,
          settings,
          transport: ownedTransport(transport, id),
          clock,
          signal: AbortSignal.timeout(checkTimeMs),
        }),
    }),
    configuration: createConfigurationArea({ gate, configuration, transformations, addressOf }),
    plans: createPlansArea({ gate, configuration }),
    diffs: createDiffsArea({
      gate,
      searches,
      destinations,
      compareLog: createCompareLog({
        store,
        engine,
        masks,
        destinations,
        transformations,
        clock,
        sandbox: options.sandbox ?? {},
        isTrusted: (workspaceId) => sandbox.isTrusted(workspaceId),
      }),
    }),
    definitions: createDefinitionsArea(destinations),
  }
}
