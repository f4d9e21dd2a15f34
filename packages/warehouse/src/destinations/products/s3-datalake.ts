import type { JsonObject } from '@sluice/core'
import { createS3Bucket, type S3BucketOptions } from '@sluice/delivery'
import { field, sink } from '@sluice/destinations/kit'
import { createBucketWarehouse } from '../../engines/parquet/parquet-warehouse.ts'
import type { WarehouseProduct } from '../define-warehouse.ts'
import { namespaceSetting } from '../warehouse-settings.ts'

/** Events as rows of Parquet files in a bucket. The settings are those of RudderStack's S3 data lake. */
export function s3DatalakeProduct(options: S3BucketOptions): WarehouseProduct {
  return {
    type: 'S3_DATALAKE',
    displayName: 'S3 data lake',
    provider: 's3_datalake',
    appendsOnly: true,
    settings: {
      bucketName: field.requiredText({
        title: 'Bucket',
        description: 'Name of the bucket, which must exist.',
        pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
        allowed: 'the name of a bucket',
        isFixed: true,
      }),
      prefix: field.text({
        title: 'Prefix',
        description: 'Folder of the bucket for all files, before the namespace.',
        isFixed: true,
      }),
      accessKeyID: field.requiredText({
        title: 'Access key id',
        description: 'Id of an access key that may list, get, put and delete objects.',
        isFixed: true,
      }),
      accessKey: field.requiredText({
        title: 'Secret access key',
        description: 'Secret of the access key.',
        isFixed: true,
      }),
      region: field.requiredText({ title: 'Region', description: 'Region of the bucket.', isFixed: true }),
      endPoint: field.text({
        title: 'Server',
        description: 'Address of a server other than AWS, such as http://127.0.0.1:9000 of MinIO.',
        isUnlisted: true,
        isFixed: true,
      }),
      ...namespaceSetting,
    },
    secrets: ['accessKeyID', 'accessKey'],
    limits: [
      'It needs the package @duckdb/node-api beside Sluice, which writes the files.',
      'Rows are only added: read the newest row of each id.',
      'Two processes that add the same new column with different types at once keep one of them.',
    ],
    open(settings) {
      const { bucketName, namespace, prefix = '', endPoint, region } = settings as unknown as Settings
      const folder = [...prefix.split('/'), namespace || 'sluice'].filter((part) => part !== '').join('/')
      const place = (below: string) =>
        sink({ ...bucketPlace(settings), endpoint: `s3://${bucketName}/${encodeURI(below)}` })
      return createBucketWarehouse({
        bucketOf: (below) => createS3Bucket(place(below), options),
        prefix: `${folder}/`,
        place: `${endPoint || region} s3://${bucketName}/${folder}`,
      })
    },
  }
}

interface Settings {
  readonly bucketName: string
  readonly prefix?: string
  readonly accessKeyID: string
  readonly accessKey: string
  readonly region: string
  readonly endPoint?: string
  readonly namespace?: string
}

function bucketPlace(settings: JsonObject) {
  const { accessKeyID, accessKey, region, endPoint } = settings as unknown as Settings
  const origin = endPoint
    ? /^https?:\/\//.test(endPoint)
      ? endPoint
      : `https://${endPoint}`
    : `https://s3.${region}.amazonaws.com`
  return {
    method: 'PUT',
    headers: { authorization: `Basic ${Buffer.from(`${accessKeyID}:${accessKey}`).toString('base64')}` },
    params: { region, origin, pathStyle: Boolean(endPoint) },
    body: {},
  }
}
