import type { JsonObject } from '@sluice/core'

/**
 * The examples of the OpenDSR specification (https://github.com/opengdpr/OpenDSR, Apache License 2.0), by the number of
 * their section. The names of the protocol are those of version 2.0, and the request has the member `regulation`, which
 * the specification requires and its example leaves out.
 */
export const openDsrExamples = {
  discovery: {
    api_version: '2.0',
    supported_identities: [{ identity_type: 'email', identity_format: 'raw' }],
    supported_subject_request_types: ['erasure'],
    processor_certificate: 'https://exampleprocessor.com/cert.pem',
  }, // 6.4
  request: {
    regulation: 'gdpr',
    subject_request_id: 'a7551968-d5d6-44b2-9831-815ac9017798',
    subject_request_type: 'erasure',
    submitted_time: '2018-10-02T15:00:00Z',
    subject_identities: [{ identity_type: 'email', identity_value: 'johndoe@example.com', identity_format: 'raw' }],
    api_version: '2.0',
    status_callback_urls: ['https://examplecontroller.com/opendsr_callbacks'],
    extensions: {
      'example-processor.com': { 'foo-processor-custom-id': 123456, property_id: '123456' },
      'example-other-processor.com': { 'foo-other-processor-custom-id': 654321 },
    },
  }, // 7.2
  response: {
    controller_id: 'example_controller_id',
    expected_completion_time: '2018-11-01T15:00:01Z',
    received_time: '2018-10-02T15:00:01Z',
    encoded_request: '<BASE64 ENCODED REQUEST>',
    subject_request_id: 'a7551968-d5d6-44b2-9831-815ac9017798',
  }, // 7.4
  error: {
    error: {
      code: 400,
      message: 'subject_request_id field is required',
      errors: [
        {
          domain: 'Validation',
          reason: 'IllegalArgumentException',
          message: 'subject_request_id field is required.',
        },
      ],
    },
  }, // 7.7
  status: {
    controller_id: 'example_controller_id',
    expected_completion_time: '2018-11-01T15:00:01Z',
    subject_request_id: 'a7551968-d5d6-44b2-9831-815ac9017798',
    request_status: 'pending',
    api_version: '2.0',
    results_url: 'https://exampleprocessor.com/secure/d188d4ba-12db-48a0-898c-cd0f8ba7b345',
    results_count: 103,
  }, // 8.4
  callback: {
    controller_id: 'example_controller_id',
    expected_completion_time: '2018-11-01T15:00:01Z',
    status_callback_url: 'https://examplecontroller.com/opendsr_callbacks',
    subject_request_id: 'a7551968-d5d6-44b2-9831-815ac9017798',
    request_status: 'pending',
    results_url: 'https://exampleprocessor.com/secure/d188d4ba-12db-48a0-898c-cd0f8ba7b345',
    results_count: 340,
  }, // 8.7
  cancellation: {
    controller_id: 'example_controller_id',
    received_time: '2018-10-02T15:00:01Z',
    subject_request_id: 'a7551968-d5d6-44b2-9831-815ac9017798',
    api_version: '2.0',
  }, // 9.3
} as const satisfies Record<string, JsonObject>
