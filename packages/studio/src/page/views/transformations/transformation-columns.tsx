import { addressOf } from '../../shell/router.ts'
import type { Transformation } from './transformation.ts'

/** Columns of every table of transformations: the name, which leads to it, and whether its code is live. */
export const transformationColumns = [
  {
    title: 'name',
    cell: ({ id, name }: Transformation) => <a href={addressOf(`/transformations/${id}`)}>{name}</a>,
  },
  {
    title: 'state',
    cell: ({ publishedVersionId, versionId }: Transformation) =>
      publishedVersionId === null
        ? 'never published'
        : publishedVersionId === versionId
          ? 'live'
          : 'live, with a newer revision',
  },
] as const
