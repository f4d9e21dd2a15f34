import type { VersionDelta } from '@sluice/schema'
import { inChunks } from '../in-chunks.ts'
import type { Db } from '../sql-session.ts'

/** Samples of one stored version. */
export interface VersionSamples {
  readonly versionId: string
  readonly samples: NonNullable<VersionDelta['samples']>
}

/** Adds samples to versions, and keeps the `samplesMax` lowest ranks of each version. */
export async function keepSamples(db: Db, versions: readonly VersionSamples[], samplesMax: number): Promise<void> {
  const rows = versions.flatMap(({ versionId, samples }) =>
    samples.map(({ rank, text, user }) => ({ version_id: versionId, rank, text, user_digest: user })),
  )
  await inChunks(rows, (chunk) => db.insertInto('schema_sample').values(chunk).execute())
  const ids = [...new Set(rows.map(({ version_id }) => version_id))]
  await inChunks(ids, (chunk) => {
    const ranked = db
      .selectFrom('schema_sample')
      .select((eb) => [
        'id',
        eb.fn
          .agg<number>('row_number')
          .over((over) => over.partitionBy('version_id').orderBy('rank'))
          .as('place'),
      ])
      .where('version_id', 'in', chunk)
    const superfluous = db.selectFrom(ranked.as('ranked')).select('ranked.id').where('ranked.place', '>', samplesMax)
    return db.deleteFrom('schema_sample').where('id', 'in', superfluous).execute()
  })
}
