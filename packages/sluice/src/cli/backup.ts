import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { fetchBackup } from './fetch-backup.ts'
import { say } from './say.ts'

interface BackupFlags {
  readonly url: string
  readonly data?: string
}

/** `sluice backup`: a copy of a store, of a running server or of a folder nobody uses. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('write a consistent copy of the whole store to a new file, while the server goes on')
    .argument('<file>', 'that is made, for its owner only')
    .addOption(new Option('--url <url>', 'of the server').env('SLUICE_URL').default('http://127.0.0.1:8080'))
    .option('--data <folder>', 'copy the store of a folder that no server uses, instead of asking one')
    .addHelpText(
      'after',
      `
A server is asked with SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD, at the port of the Data Governance API.
To go back to a backup, stop the server and put the file in the place of sluice.db; remove sluice.db-wal.

Examples:
  sluice backup sluice-monday.db
  sluice backup sluice-monday.db --data .sluice`,
    )
    .action(async (file: string, { url, data }: BackupFlags) => {
      if (data === undefined) await fetchBackup(url, file)
      else {
        const [{ backupSqliteStore }, { asCliError }] = await Promise.all([
          import('@sluice/storage'),
          import('./as-cli-error.ts'),
        ])
        await backupSqliteStore(join(data, 'sluice.db'), file).catch((error) => Promise.reject(asCliError(error)))
      }
      const { size } = await stat(file)
      say(`${file}: ${size} bytes`)
    })
}
