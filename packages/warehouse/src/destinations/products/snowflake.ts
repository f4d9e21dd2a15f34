import type { HttpClient } from '@sluice/delivery'
import { field } from '@sluice/destinations/kit'
import { createSnowflakeWarehouse } from '../../engines/snowflake/snowflake-warehouse.ts'
import type { WarehouseProduct } from '../define-warehouse.ts'
import { notRunYet } from '../not-run-yet.ts'
import { namespaceSetting } from '../warehouse-settings.ts'

/** Events as rows of Snowflake tables. The settings are those of RudderStack with a key pair, without the bucket. */
export function snowflakeProduct(http: Pick<HttpClient, 'open'>): WarehouseProduct {
  return {
    type: 'SNOWFLAKE',
    displayName: 'Snowflake',
    provider: 'snowflake',
    settings: {
      account: field.requiredText({
        title: 'Account',
        description: 'Identifier of the account: what is before .snowflakecomputing.com in its address.',
        pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,200}$',
        allowed: 'the identifier of an account',
        isFixed: true,
      }),
      database: field.requiredText({ title: 'Database', description: 'Name of the database.', isFixed: true }),
      warehouse: field.requiredText({
        title: 'Virtual warehouse',
        description: 'Name of the virtual warehouse that runs the statements.',
        isFixed: true,
      }),
      user: field.requiredText({ title: 'User', description: 'A user with a public key.', isFixed: true }),
      role: field.text({ title: 'Role', description: 'Role of the user. Default: the usual one.', isFixed: true }),
      privateKey: field.requiredText({
        title: 'Private key',
        description: 'Private key (PEM) that belongs to the public key of the user.',
        isFixed: true,
      }),
      privateKeyPassphrase: field.text({
        title: 'Passphrase',
        description: 'Passphrase of the private key, if it is encrypted.',
        isFixed: true,
      }),
      ...namespaceSetting,
    },
    secrets: ['privateKey', 'privateKeyPassphrase'],
    limits: [notRunYet, 'Names of tables and columns are upper case.'],
    open(settings) {
      const { account, database, warehouse, user, role, privateKey, privateKeyPassphrase, namespace } =
        settings as unknown as Settings
      return createSnowflakeWarehouse(
        {
          // Host names have no underscores.
          origin: `https://${account.replaceAll('_', '-')}.snowflakecomputing.com`,
          account,
          database,
          warehouse,
          user,
          privateKey,
          namespace: namespace || 'sluice',
          role: role || undefined,
          passphrase: privateKeyPassphrase || undefined,
        },
        http,
      )
    },
  }
}

interface Settings {
  readonly account: string
  readonly database: string
  readonly warehouse: string
  readonly user: string
  readonly role?: string
  readonly privateKey: string
  readonly privateKeyPassphrase?: string
  readonly namespace?: string
}
