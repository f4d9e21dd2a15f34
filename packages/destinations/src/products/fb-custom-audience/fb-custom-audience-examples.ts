import { type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

const settings = { accessToken: 'token', audienceId: '7', userSchema: ['EMAIL', 'FN'] }

/** The examples of the Facebook Custom Audience destination. */
export const fbCustomAudienceExamples: readonly DestinationExample[] = [
  {
    title: 'people are removed from an audience, and added to it',
    event: {
      type: 'audiencelist',
      properties: {
        listData: { add: [{ EMAIL: 'Ida@example.com', FN: 'Ida' }], remove: [{ EMAIL: 'tom@example.com' }] },
      },
    },
    settings,
    requests: [
      json({
        method: 'DELETE',
        endpoint: 'https://graph.facebook.com/v25.0/7/users',
        params: { access_token: 'token' },
        endpointPath: 'users',
        body: {
          payload: {
            schema: ['EMAIL', 'FN'],
            data: [['72bb75a959e1785b79ffe7230eaeec25880707a91b4a4f98330fc1510bd40e03', '']],
          },
        },
      }),
      json({
        method: 'POST',
        endpoint: 'https://graph.facebook.com/v25.0/7/users',
        params: { access_token: 'token' },
        endpointPath: 'users',
        body: {
          payload: {
            schema: ['EMAIL', 'FN'],
            data: [
              [
                '2183cce8ca8f05aa3322c18bd1b547d42c11757e838b84a0d4d3e4b31bf4e1e1',
                'bb6b24bf13999272b27006f7711965f77861a326a30b43b9b1852a500ad68ac7',
              ],
            ],
          },
        },
      }),
    ],
  },
  {
    title: 'a row of a warehouse is added to the audience that it is mapped to',
    event: {
      type: 'record',
      action: 'insert',
      fields: { EMAIL: 'Ida@example.com', GEN: 'Female' },
      context: {
        mappedToDestination: true,
        destinationFields: 'EMAIL, GEN',
        externalId: [{ type: 'FB_CUSTOM_AUDIENCE-8' }],
      },
    },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://graph.facebook.com/v25.0/8/users',
        params: { access_token: 'token' },
        endpointPath: 'users',
        body: {
          payload: {
            schema: ['EMAIL', 'GEN'],
            data: [
              [
                '2183cce8ca8f05aa3322c18bd1b547d42c11757e838b84a0d4d3e4b31bf4e1e1',
                '252f10c83610ebca1a059c0bae8255eba2f95be4d1d7bcfa89d7248a82d9f111',
              ],
            ],
          },
        },
      }),
    ],
  },
  {
    title: 'the settings of a connection win',
    event: { type: 'record', action: 'delete', identifiers: { MADID: 'AB-1' } },
    settings: { ...settings, appSecret: 'secret' },
    connection: { config: { destination: { audienceId: '9' } } },
    requests: [
      json({
        method: 'DELETE',
        endpoint: 'https://graph.facebook.com/v25.0/9/users',
        params: {
          access_token: 'token',
          appsecret_time: 1704067200,
          appsecret_proof: '993aa294b9c6dfdc2bce4cc968d5a7baebe5368ccde803f5ef90a0cee7133c06',
        },
        endpointPath: 'users',
        body: { payload: { schema: ['MADID'], data: [['ab-1']] } },
      }),
    ],
  },
  {
    title: 'a person without a valid field fails',
    event: { type: 'record', action: 'insert', fields: { EMAIL: 'not an email' } },
    settings,
    error: instrumentationError('a person has no valid field of EMAIL, FN'),
  },
]
