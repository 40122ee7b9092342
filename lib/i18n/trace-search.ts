import type { Words } from "./words";

/** Words of the search over all Traces of a Project, and of bundles. */
export const traceSearchWords = {
  "tsearch.label": ["Search in all Traces", "在所有轨迹中搜索"],
  "tsearch.hint": [
    "Prompts, answers, thinking, arguments, outputs; newest first",
    "提示、回答、思考、参数、输出;最新优先",
  ],
  "tsearch.filters": ["Filters", "筛选"],
  "tsearch.filters_on": ["Filters ({count})", "筛选({count})"],
  "tsearch.clear": ["Clear", "清除"],
  "tsearch.tool": ["Tool", "工具"],
  "tsearch.tool_hint": ["for example exec_command", "例如 exec_command"],
  "tsearch.model": ["Model", "模型"],
  "tsearch.person": ["Person", "成员"],
  "tsearch.person_hint": ["user name", "用户名"],
  "tsearch.status": ["Ended with", "结束状态"],
  "tsearch.agent": ["Agent", "智能体"],
  "tsearch.cost": ["Cost at least (USD)", "费用不低于(美元)"],
  "tsearch.from": ["From", "起始日期"],
  "tsearch.to": ["To", "结束日期"],
  "tsearch.any": ["Any", "不限"],
  "tsearch.searching": ["Searching: {read} of {total}", "搜索中:{read} / {total}"],
  "tsearch.stop": ["Stop", "停止"],
  "tsearch.stopped": ["Stopped.", "已停止。"],
  "tsearch.done": ["{hits} in {sessions}", "{sessions}中 {hits}"],
  "tsearch.hits": ["1 hit|{count} hits", "{count} 处结果"],
  "tsearch.sessions": ["1 Session|{count} Sessions", "{count} 个会话"],
  "tsearch.more": ["The search stopped there: narrow it down to see more.", "搜索到此为止:请缩小范围以查看更多。"],
  "tsearch.none": ["Nothing found", "未找到"],
  "tsearch.none_body": [
    "No record of the Traces you may see answers this. Upper and lower case are the same.",
    "您可查看的轨迹中没有匹配的记录。搜索不区分大小写。",
  ],
  "tsearch.failed": ["The search failed", "搜索失败"],
  "tsearch.open_at": ["Open in the Trace", "在轨迹中打开"],
  "tsearch.only_first": ["The first {count} hits of each Session are shown.", "每个会话仅显示前 {count} 处结果。"],
} as const satisfies Words;
