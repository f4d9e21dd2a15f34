import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { printLine } from '../../terminal/print-line.ts'
import { fetchBackup } from './fetch-backup.ts'

interface BackupFlags {
  readonly url: string
  readonly data?: string
  readonly json?: boolean
}

/** `sluice backup`: copies the store of a running server, or of a folder that no server uses. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('write a consistent copy of the whole store to a new file, while the server keeps running')
    .argument('<file>', 'new file, readable by its owner only')
    .addOption(new Option('--url <url>', 'URL of the server').env('SLUICE_URL').default('http://127.0.0.1:8080'))
    .option('--data <folder>', 'copy the store in a folder that no server uses, instead')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Needs SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD, and the port of the Data Governance API.
To restore a backup, stop the server, replace sluice.db by the file, and remove sluice.db-wal.

Examples:
  sluice backup sluice-monday.db
  sluice backup sluice-monday.db --data .sluice`,
    )
    .action(async (file: string, { url, data, json }: BackupFlags) => {
      if (data === undefined) await fetchBackup(url, file)
      else {
        const [{ backupSqliteStore }, { asCliError }] = await Promise.all([
          import('@sluice/storage'),
          import('../../as-cli-error.ts'),
        ])
        await backupSqliteStore(join(data, 'sluice.db'), file).catch((error) => Promise.reject(asCliError(error)))
      }
      const { size } = await stat(file)
      printLine(json ? JSON.stringify({ file, bytes: size }) : `${file}: ${size} bytes`)
    })
}
