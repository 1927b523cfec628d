// Tools, marketing and runs: marketing records, tools and coordinator (sections 1.2, 1.3, 2.4, 3, 4.3, 4.4, 8).
import { requirements, type Requirement } from '../requirement.ts';

export const toolsMarketing: readonly Requirement[] = [
  ...requirements('tools-1.2', 'marketing', {
    'tools-1.2': '27 marketing tools manage creatives, campaigns, automations, audiences and analytics.',
    'tools-1.2.2': 'The marketing tools sync the metrics of platforms.',
  }),
  ...requirements('tools-1.3', 'marketing', {
    'tools-1.3': 'The coordinator plans initiatives and creates tasks for workers, which call the marketing tools.',
  }),
  ...requirements('tools-2.4', 'marketing', {
    'tools-2.4.1': 'A campaign has campaign_id, name, budget (number), channels (array), status.',
    'tools-2.4.2': 'An automation has automation_id, name, trigger (object), actions (array of objects), status.',
    'tools-2.4.3': 'A trigger has fields such as event and delay_hours.',
    'tools-2.4.4': 'An action has type and the fields of its type, such as template or days.',
    'tools-2.4.5': 'An audience has audience_id and name.',
    'tools-2.4.6': 'A creative has asset_id, image_url and enhanced_prompt.',
    'tools-2.4.7': 'An initiative has id, title, description, budget (number) and status, by default draft.',
    'tools-2.4.8': 'There are four channels: two social advertising networks, one search network and email.',
  }),
  ...requirements('tools-3', 'marketing', {
    'tools-3.3': 'A campaign is draft, active, paused or completed.',
    'tools-3.4': 'An automation is active, paused or disabled.',
    'tools-3.5': 'An initiative moves draft, planning, executing, monitoring, in this order.',
    'tools-3.5.2': 'The plan endpoint asks for the planning of an initiative.',
    'tools-3.5.3': 'Statuses of campaigns and automations are set by the update tools.',
  }),
  ...requirements('tools-4.3', 'marketing', {
    'tools-4.3.0': 'All marketing tools are called with tools/call.',
    'tools-4.3.0.2': 'MARKETING_API_URL is by default http://localhost:8081.',
    'tools-4.3.0.3': 'MARKETING_RUST_URL is by default http://localhost:8080.',
    'tools-4.3.1':
      'generate_creative: concept, optional brand_guidelines; returns asset_id, image_url, enhanced_prompt.',
    'tools-4.3.2': 'batch_generate_creatives: concepts array, optional brand_guidelines; returns creatives array.',
    'tools-4.3.3': 'get_top_creatives: limit integer, default 10; returns creatives array with metrics.',
    'tools-4.3.4':
      'analyze_creative_performance: asset_id; returns metrics (click-through rate, conversions, cost, ROI).',
    'tools-4.3.5': 'create_campaign: name, budget number, channels array; returns campaign_id, status.',
    'tools-4.3.6': 'update_campaign_status: campaign_id, status (draft, active, paused, completed).',
    'tools-4.3.7': 'update_campaign_budget: campaign_id, budget number.',
    'tools-4.3.8': 'get_campaign_metrics: campaign_id; returns metrics (impressions, clicks, conversions, spend, ROI).',
    'tools-4.3.9': 'list_campaigns: optional status filter; returns campaigns array.',
    'tools-4.3.10': 'create_automation: name, trigger object, actions array.',
    'tools-4.3.11': 'trigger_automation: automation_id, context object.',
    'tools-4.3.12': 'list_automations: no parameters; returns automations array.',
    'tools-4.3.13': 'update_automation_status: automation_id, status (active, paused, disabled).',
    'tools-4.3.14': 'create_geo_audience: name, zip_codes array; returns audience_id.',
    'tools-4.3.15': 'create_lookalike_audience: source_audience_id, name, size (1%, 5%, 10%).',
    'tools-4.3.16': 'create_custom_audience: name, optional emails array, optional phone_numbers array.',
    'tools-4.3.17': 'get_trash_zone_zips: no parameters; returns zip_codes array.',
    'tools-4.3.18':
      'get_unified_metrics: date_range {start, end}; returns impressions, clicks, conversions, spend, CTR, CPA, ROAS.',
    'tools-4.3.19': 'get_roi_metrics: optional campaign_ids array; returns metrics (ROI, ROAS, LTV:CAC ratio).',
    'tools-4.3.20': 'get_channel_performance: date_range; returns channels with the performance of each.',
    'tools-4.3.21': 'thompson_sample_budget: total_budget number, channels array; returns an allocation per channel.',
    'tools-4.3.22':
      'get_conversion_attribution: date_range; returns attribution (last-click, first-click, multi-touch).',
    'tools-4.3.23': 'sync_socialnet1_metrics takes no parameters.',
    'tools-4.3.24': 'sync_socialnet2_metrics takes no parameters.',
    'tools-4.3.25': 'sync_searchads_metrics takes no parameters.',
    'tools-4.3.26':
      'send_socialnet1_conversion: event_name (purchase, lead, signup), email, phone, value number, event_id.',
    'tools-4.3.27': 'send_socialnet2_event takes the same parameters as send_socialnet1_conversion.',
  }),
  ...requirements('tools-4.4', 'marketing', {
    'tools-4.4.1': 'POST /v1/marketing/initiatives takes {title, description, budget} and creates an initiative.',
    'tools-4.4.2': 'GET /v1/marketing/initiatives lists initiatives.',
    'tools-4.4.3': 'GET /v1/marketing/initiatives/{id} answers the details of an initiative.',
    'tools-4.4.4':
      'POST /v1/marketing/initiatives/{id}/plan, no body: worker tasks are made (design, copy, audience and the like).',
    'tools-4.4.5': 'PUT /v1/marketing/initiatives/{id}/status updates the status.',
    'tools-4.4.6': 'The coordinator reads MODEL_PROVIDER_ENDPOINT, MODEL_PROVIDER_API_KEY, MODEL_DEPLOYMENT_NAME.',
    'tools-4.4.7': 'The coordinator reads A2A_SERVER_URL, by default http://localhost:8000.',
  }),
  ...requirements('tools-8', 'marketing', {
    'tools-8.10': 'get_top_creatives returns 10 by default.',
  }),
];
