import {
  createCertificatesArea,
  createGovernanceArea,
  createOpenDsrArea,
  createRegulationsArea,
  createUserReportArea,
  type SearchTurns,
} from '@sluice/http'
import { findPerson, findUsers, reportUser } from '@sluice/pipeline'
import { reportedStores } from '../../governance/reported-stores.ts'
import type { Base } from '../base.ts'
import type { FlowParts } from '../flow.ts'
import type { GovernanceParts } from '../governance.ts'
import type { StoreParts } from '../stores.ts'
import type { Gates } from './gates.ts'

/** Creates the areas that regulate the data of users, and report it. */
export function createGovernanceAreas(
  { options, clock }: Base,
  { store }: StoreParts,
  { engine, catalogue, workspaces }: FlowParts,
  { regulations, deletions, certificates, subjectRequests }: GovernanceParts,
  { gate, admin, attempts }: Gates,
  searches: SearchTurns,
  addressOf: (url: string) => string,
) {
  return {
    regulations: createRegulationsArea({
      gate,
      regulations,
      deletions,
      counters: store.counters,
      clock,
      findUsers: (workspaceId, search) => findUsers(workspaceId, search, store, { clock, engine }, 'any'),
    }),
    certificates: createCertificatesArea({ gate, certificates }),
    opendsr: createOpenDsrArea({ gate, requests: subjectRequests, clock, addressOf }),
    userReports: createUserReportArea({
      gate,
      searches,
      reportUser: (workspaceId, userId) =>
        reportUser({ workspaceId, userId }, reportedStores(store, regulations), { clock, engine }),
      findUsers: (workspaceId, search) => findUsers(workspaceId, search, store, { clock, engine }),
      findPerson: (workspaceId, identifier) =>
        findPerson({ workspaceId, identifier }, reportedStores(store, regulations), {
          clock,
          engine,
          sourceIds:
            workspaces()
              .find(({ id }) => id === workspaceId)
              ?.sources.map(({ id }) => id) ?? [],
        }),
    }),
    governance:
      admin &&
      createGovernanceArea({
        catalogue,
        workspaces,
        attempts,
        admin,
        strictCompatibility: options.strictCompatibility ?? false,
      }),
  }
}
