import { basicAuth } from '../convert/basic-auth.ts'
import type { DeliveryRequest } from '../map/request/delivery-request.ts'
import * as field from '../settings/declare/field.ts'
import { type StreamRequest, streamRequest } from './stream-request.ts'

/** Settings of destinations at AWS: region and access key. Events cannot choose them. */
export const awsKeySettings = {
  region: field.text({
    title: 'Region',
    default: 'us-east-1',
    pattern: '^[a-z0-9-]{1,40}$',
    description: 'AWS region.',
    allowed: 'the name of a region',
    placeholder: 'eu-west-1',
    isFixed: true,
  }),
  accessKeyID: field.requiredText({
    title: 'Access key ID',
    description: 'Id of an access key.',
    allowed: 'the id of an access key',
    isFixed: true,
  }),
  accessKey: field.requiredText({
    title: 'Secret access key',
    description: 'Secret of the access key.',
    allowed: 'the secret of an access key',
    isFixed: true,
  }),
  endPoint: field.text({
    title: 'Other server',
    default: '',
    pattern: '^(?:https?://[^\\s/?#@]+/?)?$',
    description: 'Address of a compatible server; AWS when empty.',
    allowed: 'an http or https address without a path',
    group: 'Network',
    isFixed: true,
    isUnlisted: true,
  }),
}

interface AwsSettings {
  readonly region: string
  readonly accessKeyID: string
  readonly accessKey: string
  readonly endPoint: string
}

/** Returns a request to a service of AWS. @param service its name in signatures, which is the scheme of its sink. */
export function awsRequest(
  service: 'kinesis' | 'firehose' | 'events' | 'sqs',
  { region, accessKeyID, accessKey, endPoint }: AwsSettings,
  { params, message }: Pick<StreamRequest, 'params' | 'message'>,
): DeliveryRequest {
  const origin = endPoint === '' ? `https://${service}.${region}.amazonaws.com` : new URL(endPoint).origin
  return streamRequest({
    endpoint: `${service}://${new URL(origin).host}`,
    headers: { authorization: basicAuth(accessKeyID, accessKey) },
    params: { origin, region, ...params },
    message,
  })
}
