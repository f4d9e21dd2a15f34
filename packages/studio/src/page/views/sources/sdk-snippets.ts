/** A program that sends one event, in one language. */
interface SdkSnippet {
  readonly title: string
  /** Name of the language behind the fence of a code block. */
  readonly language: string
  /** Command that installs the SDK; absent where nothing is installed. */
  readonly install?: string
  /** The program, with the address of the server and the write key in their places. */
  code(url: string, writeKey: string): string
}

/**
 * Snippets for each SDK, with the same event. packages/docs/guides/send-events.md shows the same texts; a test compares
 * them, and runs those for which it has an SDK.
 */
export const sdkSnippets: readonly SdkSnippet[] = [
  {
    title: 'Browser',
    language: 'js',
    install: 'npm install @rudderstack/analytics-js',
    code: (url, writeKey) => `import { RudderAnalytics } from '@rudderstack/analytics-js/bundled'

const analytics = new RudderAnalytics()
analytics.load('${writeKey}', '${url}', { configUrl: '${url}' })
analytics.identify('user-1', { plan: 'pro' })
analytics.track('Order Completed', { total: 42 })`,
  },
  {
    title: 'Node',
    language: 'js',
    install: 'npm install @rudderstack/rudder-sdk-node',
    code: (url, writeKey) => `import Analytics from '@rudderstack/rudder-sdk-node'

const analytics = new Analytics('${writeKey}', { dataPlaneUrl: '${url}' })
analytics.track({ userId: 'user-1', event: 'Order Completed', properties: { total: 42 } })
analytics.flush()`,
  },
  {
    title: 'Python',
    language: 'python',
    install: 'pip install rudder-sdk-python',
    code: (url, writeKey) => `import rudderstack.analytics as analytics

analytics.write_key = '${writeKey}'
analytics.dataPlaneUrl = '${url}'
analytics.track('user-1', 'Order Completed', {'total': 42})
analytics.flush()`,
  },
  {
    title: 'Go',
    language: 'go',
    install: 'go get github.com/rudderlabs/analytics-go/v4',
    code: (url, writeKey) => `package main

import "github.com/rudderlabs/analytics-go/v4"

func main() {
	client := analytics.New("${writeKey}", "${url}")
	defer client.Close()
	client.Enqueue(analytics.Track{
		UserId:     "user-1",
		Event:      "Order Completed",
		Properties: analytics.NewProperties().Set("total", 42),
	})
}`,
  },
  {
    title: 'Ruby',
    language: 'ruby',
    install: 'gem install rudder-sdk-ruby',
    code: (url, writeKey) => `require 'rudder-sdk-ruby'

analytics = Rudder::Analytics.new(write_key: '${writeKey}', data_plane_url: '${url}')
analytics.track(user_id: 'user-1', event: 'Order Completed', properties: { total: 42 })
analytics.flush`,
  },
  {
    title: 'PHP',
    language: 'php',
    install: 'composer require rudderstack/rudder-php-sdk',
    code: (url, writeKey) => `<?php
require __DIR__ . '/vendor/autoload.php';

use Rudder\\Rudder;

Rudder::init('${writeKey}', ['data_plane_url' => '${url}', 'ssl' => ${url.startsWith('https:')}]);
Rudder::track(['userId' => 'user-1', 'event' => 'Order Completed', 'properties' => ['total' => 42]]);
Rudder::flush();`,
  },
  {
    title: 'Java',
    language: 'java',
    install: 'mvn dependency:get -Dartifact=com.rudderstack.sdk.java.analytics:analytics:3.1.0',
    code: (url, writeKey) => `import com.rudderstack.sdk.java.analytics.RudderAnalytics;
import com.rudderstack.sdk.java.analytics.messages.TrackMessage;
import java.util.Map;

class Send {
  public static void main(String[] args) {
    RudderAnalytics analytics = RudderAnalytics.builder("${writeKey}").setDataPlaneUrl("${url}").build();
    analytics.enqueue(TrackMessage.builder("Order Completed").userId("user-1").properties(Map.of("total", 42)));
    analytics.flush();
    analytics.shutdown();
  }
}`,
  },
  {
    title: 'curl',
    language: 'bash',
    code: (url, writeKey) => `curl -u ${writeKey}: ${url}/v1/track -H 'Content-Type: application/json' \\
  -d '{"userId": "user-1", "event": "Order Completed", "properties": {"total": 42}}'`,
  },
]
