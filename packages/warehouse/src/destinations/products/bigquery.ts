import type { HttpClient } from '@sluice/delivery'
import { field, parseServiceAccount } from '@sluice/destinations/kit'
import { createBigqueryWarehouse } from '../../engines/bigquery/bigquery-warehouse.ts'
import type { WarehouseProduct } from '../define-warehouse.ts'
import { notRunYet } from '../not-run-yet.ts'
import { namespaceSetting } from '../warehouse-settings.ts'

/** Events as rows of BigQuery tables. The settings are those of RudderStack, without the bucket. */
export function bigqueryProduct(http: Pick<HttpClient, 'open'>): WarehouseProduct {
  return {
    type: 'BIGQUERY',
    otherTypes: ['BQ'],
    displayName: 'BigQuery',
    provider: 'bq',
    settings: {
      project: field.requiredText({
        title: 'Project',
        description: 'Id of the Google Cloud project.',
        pattern: '^[a-z][a-z0-9:.-]{4,60}$',
        allowed: 'the id of a project',
        isFixed: true,
      }),
      location: field.text({
        title: 'Location',
        description: 'Region of the dataset, such as EU or europe-west1. Default: US.',
        placeholder: 'US',
        isFixed: true,
      }),
      credentials: field.requiredText({
        title: 'Credentials',
        description:
          'Key of a service account with the roles BigQuery Data Editor and BigQuery Job User, as JSON text.',
        placeholder: '{"type": "service_account", …}',
        isFixed: true,
      }),
      ...namespaceSetting,
    },
    secrets: ['credentials'],
    checkSettings: ({ credentials }) =>
      parseServiceAccount(String(credentials)) === undefined
        ? [{ path: 'credentials', value: undefined, allowed: 'the JSON of a key with client_email and private_key' }]
        : [],
    limits: [
      notRunYet,
      'A transaction writes at most 90 tables; a load with more writes the others before it, and again when it is repeated.',
    ],
    open(settings) {
      const { project, location, credentials, namespace } = settings as unknown as Settings
      const server = { project, location: location || 'US', credentials, namespace: namespace || 'sluice' }
      return createBigqueryWarehouse(server, http)
    },
  }
}

interface Settings {
  readonly project: string
  readonly location?: string
  readonly credentials: string
  readonly namespace?: string
}
