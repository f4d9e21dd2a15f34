import { defined } from '@sluice/core/defined'
import { type Static, Type } from 'typebox'
import {
  convert,
  defineDestination,
  everyType,
  field,
  isSettingTemplate,
  packLines,
  sink,
  verdictByStatus,
} from '../../kit/index.ts'
import { folderKey, folderOf, joinedAddress, objectKey } from './object-key.ts'
import { s3Examples } from './s3-examples.ts'

const settings = Type.Object({
  bucketName: field.requiredText({
    title: 'Bucket',
    pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
    description: 'Name of the bucket, which must exist.',
    allowed: 'the name of a bucket, without a template',
    isFixed: true,
  }),
  prefix: field.text({ title: 'Prefix', default: '', description: 'Prefix of object names.' }),
  accessKeyID: field.requiredText({
    title: 'Access key id',
    description: 'Id of an access key that may put objects.',
    isFixed: true,
  }),
  accessKey: field.requiredText({
    title: 'Secret access key',
    description: 'Secret of the access key.',
    isFixed: true,
  }),
  enableSSE: field.flag({
    title: 'Encryption',
    description: 'Requests encryption of each object (AES256).',
    isFixed: true,
  }),
  region: field.text({
    title: 'Region',
    default: 'us-east-1',
    pattern: '^[a-z0-9-]+$',
    description: 'Region of the bucket.',
    allowed: 'the name of a region',
    isFixed: true,
  }),
  endPoint: field.text({
    title: 'Server',
    default: '',
    pattern: '^(?:(?:https?://)?[^\\s/?#@]+/?)?$',
    description: 'Host of a server other than AWS; uses https unless it starts with http://.',
    allowed: 'a host, or an address without a path',
    isFixed: true,
    isUnlisted: true,
  }),
  s3ForcePathStyle: field.optionalFlag({
    title: 'Bucket in the path',
    description:
      'Puts the bucket in the path instead of the host; by default only with an endPoint, or for bucket names with dots.',
    isFixed: true,
    isUnlisted: true,
  }),
})

/**
 * Stores events as gzipped lines of JSON in a bucket of S3 or a compatible server. Events that are delivered together
 * are stored in one object, which is written atomically.
 *
 * Sources: RudderStack docs, Amazon S3 destination (settings, object names);
 * packages/docs/behaviour/regulations.md#lines.
 */
export const s3 = defineDestination({
  type: 'S3',
  displayName: 'Amazon S3',
  storage: 'object',
  isTestable: false,
  supports: everyType,
  settings,
  secrets: ['accessKeyID', 'accessKey'],
  requests(event, settings, { now, sourceId = '' }) {
    const key = objectKey({ prefix: convert.text(settings.prefix), sourceId, now, content: JSON.stringify(event) })
    return sink({ method: 'PUT', ...objectAt(key, settings), body: { lines: [event] } })
  },
  batch: packLines({
    place: ({ endpoint }) => folderOf(endpoint),
    endpoint: (requests) => joinedAddress(requests.map(({ endpoint }) => endpoint)),
    itemsMax: 10_000,
    bytesMax: 8_388_608, // bytes before compression; all of them are in memory while the object is sent
  }),
  keptLines: {
    // If events choose the prefix, any object may contain the user.
    place(set) {
      const { prefix } = set as Settings
      const key = isSettingTemplate(prefix) ? '' : folderKey(convert.text(prefix))
      return sink({ method: 'GET', ...objectAt(key, set as Settings), body: {} })
    },
  },
  // S3 expects a retry for these errors, although their status is 4xx.
  respond: (reply) =>
    typeof reply.body === 'string' && /<Code>(?:RequestTimeout|OperationAborted)<\/Code>/.test(reply.body)
      ? { outcome: 'retry', status: reply.status, message: 'S3 requests a retry' }
      : verdictByStatus(reply),
  examples: s3Examples,
})

type Settings = Static<typeof settings>

/** Returns the members that requests for an object and for a key prefix have in common. */
function objectAt(key: string, set: Settings) {
  const { bucketName, accessKeyID, accessKey, enableSSE, region, endPoint } = set
  return {
    endpoint: `s3://${bucketName}/${key}`,
    headers: defined({
      authorization: convert.basicAuth(accessKeyID, accessKey),
      'x-amz-server-side-encryption': enableSSE ? 'AES256' : undefined,
    }),
    params: {
      region,
      origin: originOf(endPoint, region),
      // The certificate of AWS is valid for one label before the host, so a bucket name with dots must be in the path.
      pathStyle: set.s3ForcePathStyle ?? (endPoint !== '' || bucketName.includes('.')),
    },
  }
}

function originOf(endPoint: string, region: string): string {
  if (endPoint === '') return `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  const address = /^https?:\/\//.test(endPoint) ? endPoint : `https://${endPoint}`
  return address.replace(/\/$/, '')
}
