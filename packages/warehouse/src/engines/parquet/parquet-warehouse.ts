import { join, resolve } from 'node:path'
import type { S3Bucket } from '@sluice/delivery'
import type { Warehouse } from '../../load/warehouse.ts'
import { createBucketFiles } from './bucket-files.ts'
import { createFolderFiles } from './folder-files.ts'
import type { LakeFiles } from './lake-files.ts'
import { LakeSession } from './lake-session.ts'
import { openParquetTool } from './parquet-tool.ts'

/** Parquet files in a local folder. @param folder is created when it does not exist. */
export function createParquetWarehouse({
  folder,
  namespace,
}: {
  readonly folder: string
  readonly namespace: string
}): Warehouse {
  return lakeOf(() => createFolderFiles(join(resolve(folder), namespace)))
}

/**
 * Parquet files in a bucket.
 * @param options.bucketOf opens the bucket below a prefix. @param options.prefix empty, or ending with a slash.
 */
export function createBucketWarehouse(options: {
  bucketOf(prefix: string): S3Bucket
  readonly prefix: string
  /** Where the files are, for messages. */
  readonly place: string
}): Warehouse {
  const { prefix, place } = options
  return lakeOf((signal) => createBucketFiles((below) => options.bucketOf(below), prefix, place, signal))
}

function lakeOf(filesOf: (signal: AbortSignal) => LakeFiles): Warehouse {
  return {
    limits: { columnsMax: 10_000, ignoresCase: true },
    async connect(signal) {
      signal.throwIfAborted()
      const tool = await openParquetTool()
      return new LakeSession({ files: filesOf(signal), tool, close: async () => tool.close() })
    },
  }
}
