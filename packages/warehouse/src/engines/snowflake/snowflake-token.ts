import { createHash, createPrivateKey, createPublicKey, createSign, type KeyObject } from 'node:crypto'
import { WarehouseError } from '../../load/warehouse-error.ts'

const lifetimeS = 3_000 // seconds; an hour is the longest that Snowflake takes

export interface SnowflakeUser {
  readonly account: string
  readonly user: string
  /** PEM. */
  readonly privateKey: string
  readonly passphrase?: string
}

/**
 * Signs the token with which a user signs in by key pair. Source: Snowflake docs, Authenticating to the SQL API
 * (https://docs.snowflake.com/en/developer-guide/sql-api/authenticating).
 *
 * @param now in seconds since 1970. @throws WarehouseError when the key cannot be read.
 */
export function snowflakeToken({ account, user, ...key }: SnowflakeUser, now: number): string {
  const privateKey = readKey(key)
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  // A region or a cloud behind the account is not part of its name here.
  const name = `${account.split('.', 1)[0]}.${user}`.toUpperCase()
  const claims = {
    iss: `${name}.SHA256:${createHash('sha256').update(spki).digest('base64')}`,
    sub: name,
    iat: now,
    exp: now + lifetimeS,
  }
  const unsigned = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded(claims)}`
  return `${unsigned}.${createSign('RSA-SHA256').update(unsigned).sign(privateKey, 'base64url')}`
}

function readKey({ privateKey, passphrase }: Pick<SnowflakeUser, 'privateKey' | 'passphrase'>): KeyObject {
  try {
    return createPrivateKey({ key: privateKey, passphrase: passphrase || undefined })
  } catch {
    throw new WarehouseError(
      'Snowflake: the private key cannot be read. Set privateKey to a PEM text, and privateKeyPassphrase if it is encrypted.',
      'KEY',
    )
  }
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
