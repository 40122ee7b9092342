import type { Words } from "./words";

/** Words of two Traces side by side. */
export const traceCompareWords = {
  "compare.title": ["Compare two Traces", "比较两条轨迹"],
  "compare.action": ["Compare with another Trace", "与另一轨迹比较"],
  "compare.choose": ["Choose the Trace to compare with", "选择要比较的轨迹"],
  "compare.left": ["Left", "左"],
  "compare.right": ["Right", "右"],
  "compare.difference": ["Difference", "差异"],
  "compare.tasks": ["Tasks", "任务"],
  "compare.requests": ["Requests", "请求"],
  "compare.calls": ["Tool calls", "工具调用"],
  "compare.steps": ["Steps", "步骤"],
  "compare.input": ["Input tokens", "输入词元"],
  "compare.output": ["Output tokens", "输出词元"],
  "compare.cost": ["Cost", "费用"],
  "compare.time": ["Time", "用时"],
  "compare.same": ["Both said and did the same.", "两者的内容与操作完全相同。"],
  "compare.first": ["Go to the first difference (step {step})", "跳到第一处差异（步骤 {step}）"],
  "compare.first_here": ["First difference", "第一处差异"],
  "compare.only_left": ["only left", "仅左侧"],
  "compare.only_right": ["only right", "仅右侧"],
  "compare.differs": ["differs", "不同"],
  "compare.equal": ["same", "相同"],
  "compare.more": ["{count} more steps are not shown.", "另有 {count} 步未显示。"],
  "compare.failed": ["The Traces could not be compared", "无法比较轨迹"],
  "compare.another": ["Choose another", "重新选择"],
  "compare.none": ["No other Trace", "没有其他轨迹"],
  "compare.none_body": [
    "This Agent has no other Trace to compare with. Choose another Agent, or import a Trace.",
    "此智能体没有可比较的其他轨迹。请选择其他智能体，或导入轨迹。",
  ],
  "compare.missing": [
    "Open a Trace and choose “Compare with another Trace” in its menu.",
    "请打开一条轨迹，并在菜单中选择“与另一轨迹比较”。",
  ],
} as const satisfies Words;
