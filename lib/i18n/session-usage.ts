import type { Words } from "./words";

/** What a conversation says of its usage; the usage page says some of it as well. */
export const sessionUsageWords = {
  "usage.of_task_children": [
    "with {count} Request of subagents|with {count} Requests of subagents",
    "含子智能体的 {count} 次请求",
  ],
  "usage.of_conversation": ["Usage of this conversation", "此会话的用量"],
  "usage.here": ["This conversation alone", "仅此会话"],
  "usage.with_children": ["With its subagents", "包含子智能体"],
  "usage.open_page": ["Open in Usage", "在用量页打开"],
  "usage.cost": ["Cost", "费用"],
  "usage.requests": ["Requests", "请求"],
  "usage.failed_of": ["{count} failed", "{count} 次失败"],
  "usage.stopped_of": ["{count} stopped", "{count} 次停止"],
  "usage.cache_read": ["Cache read", "缓存读取"],
  "usage.cache_write": ["Cache write", "缓存写入"],
  "usage.output": ["Output", "输出"],
  "usage.cache_hit_rate": ["Cache hit rate", "缓存命中率"],
  "usage.time_per_request": ["Time per Request", "每次请求耗时"],
  "usage.tokens_of": ["{count} tokens", "{count} 词元"],
  "usage.only_free": ["free", "免费"],
  "usage.only_unpriced": ["no price", "无价格"],
  "usage.only_unknown": ["unknown", "未知"],
  "usage.note_today": ["{amount} at today's price", "{amount} 按今日价格"],
  "usage.note_estimated": ["{amount} estimated", "{amount} 为估算"],
  "usage.note_unpriced": ["{count} without a price", "{count} 次无价格"],
  "usage.note_unknown": ["{count} unknown", "{count} 次未知"],
  "usage.mark_today": ["at today's price", "按今日价格"],
  "usage.mark_estimated": ["estimated", "估算"],
} as const satisfies Words;
