import { checkCredentials, ownedTransport } from '@sluice/delivery'
import {
  createChecksArea,
  createConfigurationArea,
  createDefinitionsArea,
  createPlansArea,
  createTransformationsArea,
  createTrialArea,
} from '@sluice/http'
import { tryDestination } from '@sluice/pipeline'
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
  { destinations, programs, transport }: FlowParts,
  { transformations, configuration }: DefinitionParts,
  { gate }: Gates,
  addressOf: (url: string) => string,
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
    definitions: createDefinitionsArea(destinations),
  }
}
