import type { JsonObject } from '@sluice/core'
import type { GuardedSockets } from '@sluice/delivery'
import { field } from '@sluice/destinations/kit'
import { namespaceSetting } from './warehouse-settings.ts'

/** Settings of products that are database servers. @param port the usual one. */
export function serverSettings(port: number) {
  return {
    host: field.requiredText({ title: 'Host', description: 'Name or address of the server.', isFixed: true }),
    port: field.integer({
      title: 'Port',
      description: 'Port of the server.',
      default: port,
      minimum: 1,
      maximum: 65_535,
      isFixed: true,
    }),
    user: field.requiredText({
      title: 'User',
      description: 'A user who may create the namespace and its tables.',
      isFixed: true,
    }),
    password: field.text({ title: 'Password', description: 'Password of the user.', isFixed: true }),
    sslMode: field.choiceOf(
      {
        disable: 'No encryption',
        require: 'Encryption, without a check of the certificate',
        'verify-ca': 'Encryption, with a check of the certificate',
      },
      { title: 'TLS', description: 'How the connection is protected.', default: 'disable', isFixed: true },
    ),
    serverCA: field.text({
      title: 'Certificate of the authority',
      description: 'Certificate (PEM) with which that of the server is checked. Default: those of Node.',
      shownWhen: { sslMode: 'verify-ca' },
      isFixed: true,
    }),
  } as const
}

/** The same, of servers that have several databases with schemas. */
export function databaseSettings(port: number) {
  return {
    ...serverSettings(port),
    database: field.requiredText({ title: 'Database', description: 'Name of the database.', isFixed: true }),
    ...namespaceSetting,
  } as const
}

/** Returns what a driver needs of these settings. */
export function databaseServerOf(settings: JsonObject) {
  const { host, port, user, password, namespace, database, ...tls } = settings as unknown as ServerSettings & {
    readonly database: string
  }
  return { host, port, database, user, password: password ?? '', namespace: namespace || 'sluice', ssl: tlsOf(tls) }
}

/** Values of the settings of servers. */
export interface ServerSettings {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password?: string
  readonly namespace?: string
  readonly sslMode: 'disable' | 'require' | 'verify-ca'
  readonly serverCA?: string
}

/** Returns the option of a driver for sockets of an owner. */
export function socketOf(socket: GuardedSockets | undefined, owner?: string): { readonly socket?: GuardedSockets } {
  return socket ? { socket: (over) => socket(over, owner) } : {}
}

/** Returns the TLS options of a driver. */
export function tlsOf({ sslMode, serverCA }: Pick<ServerSettings, 'sslMode' | 'serverCA'>) {
  if (sslMode === 'disable') return false
  return { rejectUnauthorized: sslMode === 'verify-ca', ca: serverCA || undefined }
}
